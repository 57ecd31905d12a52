// @ts-check
"use strict";

/* The forward pass of chapter 11's GPT with the weights of gpt-weights.js, every array of it kept. */
/* A part of a figure runs nothing while it loads, because parts come in any order. */
function gptModel() {
  const { words, context_length: context, d_model: d, n_heads: heads, n_layers: blocks } = gptWeights;
  const dHead = d / heads;
  const EPSILON = 1e-5;

  /** @typedef {number[][]} Rows */
  /** @typedef {"embedding" | "output" | `${"attention" | "feed-forward"} ${number}`} Stage */

  /** @type {Record<string, any>} */
  const stored = gptWeights;

  /** A vector of the weights. @param {string} name @returns {number[]} */
  const vector = (name) => stored[name].values;

  /** A matrix of the weights: 8 bits and the scale of the row make a number. @param {string} name @returns {Rows} */
  function matrix(name) {
    const bytes = Uint8Array.from(atob(stored[name].rows), (letter) => letter.charCodeAt(0));
    const whole = new Int8Array(bytes.buffer);
    const scales = /** @type {number[]} */ (stored[name].scales);
    const width = whole.length / scales.length;
    return scales.map((scale, row) => Array.from(whole.subarray(row * width, (row + 1) * width), (one) => one * scale));
  }

  const parts = Array.from({ length: blocks }, (_, at) => {
    const within = (/** @type {string} */ name) => `blocks.${at}.${name}.weight`;
    const norm = (/** @type {string} */ name) => ({ gain: vector(within(name)), bias: vector(`blocks.${at}.${name}.bias`) });
    return {
      norm1: norm("norm_1"), norm2: norm("norm_2"),
      qkv: matrix(within("attention.qkv")), output: matrix(within("attention.output")),
      up: matrix(within("feed_forward.up")), down: matrix(within("feed_forward.down")),
    };
  });
  const tokenTable = matrix("token_embedding.weight");
  const positionTable = matrix("position_embedding.weight");
  const finalNorm = { gain: vector("final_norm.weight"), bias: vector("final_norm.bias") };

  /** The inner product, quickly. @param {number[]} a @param {number[]} b */
  function dot(a, b) {
    let sum = 0;
    for (let at = 0; at < a.length; at += 1) sum += a[at] * b[at];
    return sum;
  }

  /** Each row times each row of the matrix, as in nn.Linear. @param {Rows} x @param {Rows} weight */
  const linear = (x, weight) => x.map((row) => weight.map((column) => dot(row, column)));

  /** @param {Rows} a @param {Rows} b */
  const sum = (a, b) => a.map((row, at) => row.map((one, column) => one + b[at][column]));

  /** The mean of a row and its deviation. @param {number[]} row */
  function moments(row) {
    const mean = row.reduce((total, one) => total + one, 0) / row.length;
    const variance = row.reduce((total, one) => total + (one - mean) ** 2, 0) / row.length;
    return { mean, deviation: Math.sqrt(variance + EPSILON) };
  }

  /** @param {Rows} x @param {{gain: number[], bias: number[]}} norm */
  const layerNorm = (x, { gain, bias }) => x.map((row) => {
    const { mean, deviation } = moments(row);
    return row.map((one, at) => gain[at] * (one - mean) / deviation + bias[at]);
  });

  /** 1 - erf(x) for x >= 0, to seven digits. @param {number} x */
  function erfc(x) {
    const t = 1 / (1 + x / 2);
    const terms = [-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398,
      1.48851587, -0.82215223, 0.17087277];
    return t * Math.exp(-x * x + terms.reduceRight((total, term) => term + t * total));
  }

  /** @param {number} x */
  const gelu = (x) => {
    const tail = erfc(Math.abs(x) / Math.SQRT2) / 2;
    return x * (x < 0 ? tail : 1 - tail);
  };

  /** Cut the rows of all heads: a list of heads' rows. @param {Rows} rows @returns {Rows[]} */
  const split = (rows) => Array.from({ length: heads }, (_, head) =>
    rows.map((row) => row.slice(head * dHead, (head + 1) * dHead)));

  /**
   * Every array on the way from tokens to probabilities, by "stage: array"; each is a list of heads, or of one.
   * @param {{tokens: number[], temperature?: number}} input
   */
  function compute({ tokens, temperature = 1 }) {
    /** @type {Record<string, Rows[]>} */
    const arrays = {};
    /** @param {Stage} stage @param {Record<string, Rows | Rows[]>} found */
    const keep = (stage, found) => {
      for (const [name, array] of Object.entries(found))
        arrays[`${stage}: ${name}`] = /** @type {Rows[]} */ (Array.isArray(array[0][0]) ? array : [array]);
    };

    const token = tokens.map((id) => tokenTable[id]);
    const positions = positionTable.slice(0, tokens.length);
    let x = sum(token, positions);
    keep("embedding", { token, positions, x });
    parts.forEach((part, block) => {
      const norm1 = layerNorm(x, part.norm1);
      const all = linear(norm1, part.qkv);
      const [q, k, v] = [0, 1, 2].map((which) => split(all.map((row) => row.slice(which * d, (which + 1) * d))));
      const scores = q.map((queries, head) => linear(queries, k[head]).map((row) => row.map((one) => one / Math.sqrt(dHead))));
      const weights = scores.map((rows) => rows.map((row, i) =>
        live.softmax(row.map((score, j) => j <= i ? score : -Infinity))));
      const gathered = weights.map((rows, head) => rows.map((row) =>
        v[head][0].map((_, feature) => row.reduce((total, weight, j) => total + weight * v[head][j][feature], 0))));
      const joined = tokens.map((_, row) => gathered.flatMap((rows) => rows[row]));
      const output = linear(joined, part.output);
      x = sum(x, output);
      keep(`attention ${block + 1}`, { "norm 1": norm1, q, k, v, scores, weights, gathered, output, x });
      const norm2 = layerNorm(x, part.norm2);
      const inner = linear(norm2, part.up).map((row) => row.map(gelu));
      const down = linear(inner, part.down);
      x = sum(x, down);
      keep(`feed-forward ${block + 1}`, { "norm 2": norm2, inner, down, x });
    });
    const norm = layerNorm(x, finalNorm);
    const logits = linear(norm, tokenTable);
    const p = logits.map((row) => live.softmax(row.map((logit) => logit / temperature)));
    keep("output", { "final norm": norm, logits, p });
    return arrays;
  }

  /**
   * The words that the model reads in a text, behind the end token that begins every story, and those it does not know.
   * @param {string} text
   */
  function encode(text) {
    const found = text.toLowerCase().replace(/[\u201c\u201d]/g, "\"").match(/[\p{L}\p{N}'\u2019-]+|[^\s\p{L}\p{N}]/gu) ?? [];
    const ids = found.map((word) => words.indexOf(word));
    const known = ids.filter((id) => id > 0);
    return {
      tokens: [0, ...known].slice(-context),
      cut: Math.max(0, known.length + 1 - context),
      unknown: found.filter((_, at) => ids[at] <= 0),
    };
  }

  return { compute, encode, moments, dot, words, context, heads, dHead, blocks, parts, finalNorm };
}
