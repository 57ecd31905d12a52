"""Tales: short English stories from a grammar, so that the best possible loss of a model is known exactly.

A hero finds an object, meets an animal that has lost somebody, and overcomes an obstacle with that very
object. To foresee the words, a reader must remember the hero's name, pronoun and home, the animal and whom
it misses, and the object and its look: further back than an n-gram sees, but within reach of a Transformer.
"""

import random

from transformer_lib.checks import check_not_negative, check_positive
from transformer_lib.data.corpus import Corpus
from transformer_lib.data.grammar import Grammar
from transformer_lib.data.tokenizers import WordTokenizer

FACTS = (
    """
    hero     they  them  their  child
    3 ada    she   her   her    girl
    3 clara  she   her   her    girl
    2 edith  she   her   her    girl
    2 nora   she   her   her    girl
    1 ivy    she   her   her    girl
    1 tilda  she   her   her    girl
    3 ben    he    him   his    boy
    3 hugo   he    him   his    boy
    2 felix  he    him   his    boy
    2 otto   he    him   his    boy
    1 emil   he    him   his    boy
    1 theo   he    him   his    boy
    """,
    """
    home
    1 mill
    1 river
    1 forest
    1 lake
    1 castle
    1 bridge
    1 church
    1 village
    """,
    """
    quality   a
    1 golden  a
    1 silver  a
    1 blue    a
    1 red     a
    1 white   a
    1 old     an
    1 tiny    a
    1 huge    a
    1 strange a
    """,
    """
    object    state    barrier  solved
    1 key     locked   gate     opened
    1 lantern dark     cave     lit
    1 rope    steep    cliff    climbed
    1 flute   fierce   bear     calmed
    1 apple   hungry   wolf     fed
    1 coin    greedy   troll    paid
    1 drum    wicked   ghost    chased
    1 mirror  lonely   witch    cheered
    1 blanket shivering dragon  warmed
    """,
    """
    animal
    1 fox
    1 owl
    1 hare
    1 cat
    1 crow
    1 otter
    1 goat
    1 mouse
    """,
    """
    kin
    1 mother
    1 father
    1 sister
    1 brother
    1 friend
    1 cousin
    """,
)

RULES = """
Story: 4 Opening Finding Plea Journey Trial Ending
    | 1 Opening Finding Plea Rumor Journey Trial Ending
Opening: 2 {hero} was a Trait {hero.child} from a Looks {home} .
    | 2 Near a Looks {home} lived a Trait {hero.child} named {hero} .
    | 1 once a Trait {hero.child} named {hero} lived Near a Looks {home} .
Trait: 1 little | 1 clever | 1 shy | 1 brave | 1 merry | 1 quiet | 1 lazy | 1 gentle | 1 proud | 1 sleepy
Near: 1 near | 1 behind | 1 beside | 1 beyond
Looks: 1 Color | 1 Shape | 1 Shape Color
Color: 1 golden | 1 silver | 1 blue | 1 green | 1 red | 1 white
Shape: 1 tiny | 1 huge | 1 strange | 1 lovely | 1 lonely | 1 crooked | 1 dusty
Finding: 3 one Weather Time {hero.they} found {quality.a} {quality} {object} Spot .
    | 2 Spot {hero.they} found {quality.a} {quality} {object} one Weather Time .
Weather: 1 rainy | 1 windy | 1 snowy | 1 misty | 1 sunny | 1 stormy
Time: 1 morning | 1 evening | 1 night
Spot: 4 Under a Looks Thing | 1 Under a Thing Nearby
Nearby: 3 Near a Looks Thing | 1 Near a Thing Near a Looks Thing
Under: 1 under | 1 below | 1 near | 1 behind | 1 beside
Thing: 1 stone | 1 bush | 1 tree | 1 bench | 1 barrel | 1 ladder | 1 cart | 1 statue
Plea: 1 " i have lost my {kin} , " Said a Trait {animal} .
    | 2 " where is my {kin} ? " Said a Trait {animal} .
    | 2 a Trait {animal} Said that its {kin} was lost .
Said: 1 said | 1 sobbed | 1 whispered | 1 sighed | 1 cried
Rumor: 1 a Trait Creature Said that News .
Creature: 1 snail | 1 robin | 1 bee | 1 toad | 1 spider | 1 swan
News: 2 Whereabouts | 1 a Trait Creature Said that OldNews
OldNews: 2 Whereabouts | 1 a Trait Creature Said that Whereabouts
Whereabouts: 1 the {kin} Slept Near a {object.barrier} | 1 the {kin} Slept Near a Looks Thing
Slept: 1 slept | 1 waited | 1 hid
Journey: 2 they Go . | 2 they Go and Go . | 1 they Go , Go and Go .
Go: 1 Went Past a Looks Landmark | 3 Went Adverb Past a Looks Landmark
Went: 1 walked | 1 ran | 1 hurried | 1 wandered | 1 marched | 1 danced | 1 crept | 1 rode | 1 sailed | 1 flew
Adverb: 1 slowly | 1 gladly | 1 boldly | 1 softly | 1 quickly | 1 calmly | 1 gaily | 1 wisely
Past: 1 past | 1 across | 1 around | 1 behind
Landmark: 1 mill | 1 river | 1 forest | 1 lake | 1 castle | 1 bridge | 1 church | 1 village | 1 garden
    | 1 valley
Trial: 1 with the {quality} {object} {hero.they} Adverb {object.solved} a {object.state} {object.barrier} .
    | 2 then {hero} Adverb {object.solved} a {object.state} {object.barrier} with the {quality} {object} .
Ending: 2 the {animal} found its {kin} and {hero} Went Adverb home with the {object} .
    | 2 the {animal} and its {kin} Went Adverb to the {home} with {hero.them} .
    | 1 " thank you , {hero} ! " Said the Trait {kin} of the {animal} .
"""

TALES = Grammar(RULES, FACTS)
"""The grammar itself: exact entropies, probabilities of words and stories, bracketings, samples."""

NAMES = frozenset(row[0] for row in TALES.facts[0].rows)


def load_tales(n_train: int = 20_000, n_valid: int = 1_000, n_test: int = 1_000, seed: int = 0) -> Corpus:
    """Draw tales: the same for a seed everywhere, and each part the same whatever the size of the others.

    Raises
    ------
    ValueError
        If a size or the seed is negative, or there is no story to train on.
    """
    sizes = (n_train, n_valid, n_test)
    check_not_negative(seed=seed)
    check_positive(n_train=n_train)
    check_not_negative(n_valid=n_valid, n_test=n_test)
    train, valid, test = (
        tuple(TALES.sample(rng) for _ in range(size))
        for size, rng in ((size, random.Random(3 * seed + part)) for part, size in enumerate(sizes))
    )
    return Corpus(
        name="tales",
        train=train,
        valid=valid,
        test=test,
        tokenizer=WordTokenizer(TALES.vocabulary()),
        description=f"short stories from a grammar, seed {seed}",
        entropy_rate=TALES.entropy_rate(),
    )
