"""Named mistakes in question 14.4."""


# %% adds_into_list: log-probabilities added into the model's list
# loses: greedy, beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = []
        for prefix, total in beam:
            scores = log_p(prefix)
            for token in range(len(scores)):
                scores[token] += total
                longer.append(((*prefix, token), scores[token]))
        longer.sort(key=lambda pair: pair[1], reverse=True)
        beam = []
        for pair in longer[:n_beams]:
            if pair[0][-1] == end:
                finished.append(pair)
            else:
                beam.append(pair)
    finished.extend(beam)
    tokens, total = max(finished, key=lambda f: f[1] / ((5 + len(f[0])) / 6) ** alpha)
    return list(tokens), total


# %% all_texts: thirty beams at least, whatever the number of beams
# loses: greedy, beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[: max(n_beams, 30)]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% end_cut: texts without their end token
# loses: greedy, beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return [y for y in tokens if y != end], total


# %% end_not_in_length: a length without the end token
# loses: penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len([y for y in pair[0] if y != end])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% ends_continued: ended texts that are continued all the same
# loses: penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = longer
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% enough_ends: a search that stops when n_beams texts have ended
# loses: beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
        if len(finished) >= n_beams:
            break
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% every_end: every ended continuation finished, not only those among the first n_beams
# loses: greedy, beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end][:n_beams]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% fewer_beams: a beam that loses a place for good with each text that has ended
# loses: beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[
            : n_beams - len(finished)
        ]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% first_finished: the first text that is finished
# loses: beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
        if finished:
            beam = []
            break
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% float32: totals in float32
# loses: beams
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        if not beam:
            break
        totals = torch.tensor([total for _, total in beam])
        scores = torch.stack([torch.tensor(log_p(prefix)) for prefix, _ in beam]) + totals[:, None]
        flat = scores.flatten()
        top = flat.topk(min(n_beams, len(flat)))
        new = []
        for total, index in zip(top.values.tolist(), top.indices.tolist()):
            prefix = beam[index // scores.shape[1]][0]
            text = (*prefix, index % scores.shape[1])
            (finished if text[-1] == end else new).append((text, total))
        beam = new
    finished += beam
    tokens, total = max(finished, key=lambda f: f[1] / ((5 + len(f[0])) / 6) ** alpha)
    return list(tokens), total


# %% greedy: greedy decoding, whatever the number of beams
# loses: beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:1]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% last_token_read: a model that reads the last token of a prefix alone
# loses: greedy, beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix[-1:]))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% least_probable: the least probable continuations
# loses: greedy, beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% mean_of_logs: the mean log-probability of a token as the score
# loses: beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / len(pair[0])

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% multiplied: a score that is multiplied by the penalty
# loses: penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] * ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% no_penalty: a search without a length penalty
# loses: penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1]

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% one_step_more: a search with one step more
# loses: greedy, beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest + 1):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% one_step_short: a search with one step less
# loses: greedy, beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(max(1, longest - 1)):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% places_kept: ended texts that keep their places in the beam
# loses: beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam = [((), 0.0)]
    for _ in range(longest):
        longer = [pair for pair in beam if end in pair[0]]
        longer += [
            ((*prefix, token), total + more)
            for prefix, total in beam
            if end not in prefix
            for token, more in enumerate(log_p(prefix))
        ]
        beam = sorted(longer, key=lambda pair: -pair[1])[:n_beams]

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(beam, key=score)
    return list(tokens), total


# %% places_refilled: a beam in which others take the places of ended texts at once
# loses: penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        beam = []
        for pair in sorted(longer, key=lambda pair: -pair[1]):
            if len(beam) < n_beams:
                (finished if pair[0][-1] == end else beam).append(pair)
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% plain_length: log-probabilities divided by a power of the length
# loses: penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / len(pair[0]) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% probabilities_added: log-probabilities that are not added up
# loses: greedy, beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% probability_returned: the probability in place of its logarithm
# loses: greedy, beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), math.exp(total)


# %% score_returned: the score in place of the log-probability
# loses: penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), score((tokens, total))


# %% scored_beam: a beam that is chosen by the last token alone
# loses: beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more, more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[2])[:n_beams]
        longer = [pair[:2] for pair in longer]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% sorts_list: the model's list put in order
# loses: greedy, beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = []
        for prefix, total in beam:
            more = log_p(prefix)
            tokens = sorted(range(len(more)), key=lambda token: -more[token])
            more.sort(reverse=True)
            longer += [((*prefix, token), total + one) for token, one in zip(tokens, more)]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% two_at_least: two tokens at least, whatever is asked for
# loses: greedy, beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    def expand(beam):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished.extend(pair for pair in longer if pair[0][-1] == end)
        return [pair for pair in longer if pair[0][-1] != end]

    finished = []
    beam, step = expand([((), 0.0)]), 1
    while beam:
        beam, step = expand(beam), step + 1
        if step >= longest:
            break
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% unfinished_first: only texts that have not ended, where there are any
# loses: beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished = beam or finished

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% unfinished_lost: only texts that have ended
# loses: beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished = finished or beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total


# %% at_most_6: no more than six tokens
# loses: greedy, beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(min(longest, 6)):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam
    tokens, total = max(finished, key=lambda pair: pair[1] / ((5 + len(pair[0])) / 6) ** alpha)
    return list(tokens), total


# %% above_minus_100: no text where the best score is below -100
# loses: beams
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    best, tokens, total = -100.0, (), -100.0
    for text, log in finished + beam:
        score = log / ((5 + len(text)) / 6) ** alpha
        if score > best:
            best, tokens, total = score, text, log
    return list(tokens), total


# %% product: products of probabilities, which are 0 for long texts
# loses: beams
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 1.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total * math.exp(more))
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished = [(text, math.log(p) if p > 0 else -math.inf) for text, p in finished + beam]
    tokens, total = max(finished, key=lambda pair: pair[1] / ((5 + len(pair[0])) / 6) ** alpha)
    return list(tokens), total


# %% as_many_as_tokens: no more beams than the vocabulary has tokens
# loses: beams, exhaustive, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[: min(n_beams, len(log_p(())))]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam
    tokens, total = max(finished, key=lambda pair: pair[1] / ((5 + len(pair[0])) / 6) ** alpha)
    return list(tokens), total


# %% at_most_64_beams: no more than 64 beams
# loses: beams
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[: min(n_beams, 64)]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end]
    finished += beam
    tokens, total = max(finished, key=lambda pair: pair[1] / ((5 + len(pair[0])) / 6) ** alpha)
    return list(tokens), total
