// @ts-check
"use strict";

/* What the arrays of the figure gpt are: their stages, their columns, and how each number in them comes about. */

/** @typedef {{stage: string, name: string, head: number, row: number, column: number}} GptPlace */

/** @param {ReturnType<typeof gptModel>} model */
function gptArrays(model) {
  const { words, parts, dHead } = model;
  const MARKS = ["attention", "feed-forward"];

  /** @type {{name: string, says: string, arrays: string[]}[]} */
  const stages = [
    { name: "embedding", says: "a row for each word", arrays: ["token", "positions", "x"] },
    ...parts.flatMap((_, block) => [
      { name: `attention ${block + 1}`, says: "words look at words",
        arrays: ["norm 1", "q", "k", "v", "scores", "weights", "gathered", "output", "x"] },
      { name: `feed-forward ${block + 1}`, says: "each word alone", arrays: ["norm 2", "inner", "down", "x"] },
    ]),
    { name: "output", says: "the next word", arrays: ["final norm", "logits", "p"] },
  ];

  /** A number as short as it can be told. @param {number} one */
  const told = (one) => live.number(one, Math.abs(one) < 0.1 ? 3 : 2);

  /** A number within a sum. @param {number} one */
  const term = (one) => one < 0 ? `(${told(one)})` : told(one);

  /** @param {number} id */
  const named = (id) => id === 0 ? "the end token" : `\u201c${words[id]}\u201d`;

  /** Whether the columns are words that are looked at, words of the vocabulary, or features. @param {string} name */
  const columns = (name) => ["scores", "weights"].includes(name) ? "places" : ["logits", "p"].includes(name) ? "vocabulary" : "features";

  /** The block of a stage, counted from 0, and the stream that the stage reads. @param {string} stage */
  function before(stage) {
    const [kind, number] = stage.split(" ");
    const block = Number(number ?? parts.length + 1) - 1;
    const stream = kind === MARKS[1] ? `${MARKS[0]} ${number}: x` : block === 0 ? "embedding: x" : `${MARKS[1]} ${block}: x`;
    return { kind, block, stream };
  }

  /** @param {{gain: number[], bias: number[]}} norm @param {number[]} row @param {number} column */
  function normalized({ gain, bias }, row, column) {
    const { mean, deviation } = model.moments(row);
    return `(${told(row[column])} \u2212 ${term(mean)}) / ${told(deviation)}, times the gain ${told(gain[column])}, plus the bias ${told(bias[column])}, is`;
  }

  /**
   * How a number came about, up to "is" and the number itself.
   * @param {Record<string, number[][][]>} arrays
   * @param {number[]} tokens
   * @param {number} temperature
   * @param {GptPlace} place
   */
  function worked(arrays, tokens, temperature, { stage, name, head, row, column }) {
    const { kind, block, stream } = before(stage);
    const found = (/** @type {string} */ other) => arrays[`${stage}: ${other}`][head] ?? arrays[`${stage}: ${other}`][0];
    const here = named(tokens[row]);
    const number = found(name)[row][column];
    const x = arrays[stream][0][row];
    const part = parts[block];
    /** @type {Record<string, () => string>} */
    const ways = {
      token: () => `Feature ${column + 1} in the row of ${here} in the table of tokens is`,
      positions: () => `Feature ${column + 1} in the row of place ${row + 1} in the table of positions is`,
      x: () => kind === "embedding" ? `${told(found("token")[row][column])} of the token + ${term(found("positions")[row][column])} of the place is`
        : `${told(x[column])} of the stream + ${term(found(kind === MARKS[0] ? "output" : "down")[row][column])} of the ${kind} is`,
      "norm 1": () => normalized(part.norm1, x, column),
      "norm 2": () => normalized(part.norm2, x, column),
      "final norm": () => normalized(model.finalNorm, x, column),
      scores: () => `The product of ${here} as query and ${named(tokens[column])} as key, ${told(number * Math.sqrt(dHead))} / \u221a${dHead}, is`,
      weights: () => {
        const all = found("scores")[row].slice(0, row + 1).map(Math.exp);
        return `${here} looks at ${named(tokens[column])}: exp(${told(found("scores")[row][column])}) = ${told(all[column])} of ${told(all.reduce((total, one) => total + one))} for all that it may see is`;
      },
      gathered: () => {
        const weights = found("weights")[row];
        const most = weights.map((_, at) => at).sort((a, b) => weights[b] - weights[a]).filter((at) => at <= row);
        const sum = most.slice(0, 2).map((at) => `${told(weights[at])} \u00d7 ${term(found("v")[at][column])} of ${named(tokens[at])}`);
        return `${sum.join(" + ")}${most.length > 2 ? " + \u2026" : ""} is`;
      },
      output: () => `What all heads gathered for ${here}, times column ${column + 1} of the output matrix, is`,
      inner: () => `GELU(${told(model.dot(found("norm 2")[row], part.up[column]))}) of inner feature ${column + 1} is`,
      down: () => `The inner features of ${here}, times column ${column + 1} of the second matrix, are`,
      logits: () => `The last vector of ${here}, times the row of ${named(column)} in the table of tokens, is`,
      p: () => `After ${here} comes ${named(column)}: exp(${told(found("logits")[row][column])}${temperature === 1 ? "" : ` / ${temperature}`}) over the sum for all ${words.length} words is`,
    };
    const way = ways[name] ?? (() => `The normalized row of ${here}, times column ${column + 1} of this head's matrix for ${name}, is`);
    if (columns(name) === "places" && column > row)
      return `${here}, place ${row + 1}, may not look ahead at ${named(tokens[column])}, place ${column + 1}: ${name === "scores" ? `minus infinity takes the place of ${told(number)}` : "its weight is 0"}.`;
    const sentence = `${way()} ${told(number)}.`;
    return sentence[0].toUpperCase() + sentence.slice(1);
  }

  return { stages, columns, worked, named };
}
