// @ts-check
"use strict";

/* Two layers of heads with the weights of attention-weights.js, which is loaded before this is called. */
function attentionModel() {
  const { words: WORDS, context_length: LONGEST, n_heads: HEADS, n_layers: LAYERS } = attentionWeights;
  const EPSILON = 1e-5;

  /** @typedef {number[][]} Rows */
  /** @type {Record<string, (i: number, j: number) => boolean>} whether word i may attend to word j */
  const MASKS = {
    "causal mask": (i, j) => j <= i,
    "window of 4": (i, j) => i - 4 < j && j <= i,
    "no mask": () => true,
  };
  /** @type {Record<string, any>} */
  const stored = attentionWeights;

  /** A matrix of the weights: 8 bits and the scale of the row make a number. @param {string} name @returns {Rows} */
  function matrix(name) {
    const bytes = Uint8Array.from(atob(stored[`${name}.weight`].rows), (letter) => letter.charCodeAt(0));
    const whole = new Int8Array(bytes.buffer);
    const scales = /** @type {number[]} */ (stored[`${name}.weight`].scales);
    const width = whole.length / scales.length;
    return scales.map((scale, row) => Array.from(whole.subarray(row * width, (row + 1) * width), (one) => one * scale));
  }

  /** Rows of mean 0 and variance 1, times a gain, and a bias. @param {Rows} x @param {string} name @returns {Rows} */
  const norm = (x, name) => x.map((row) => {
    const mean = row.reduce((sum, one) => sum + one, 0) / row.length;
    const variance = row.reduce((sum, one) => sum + (one - mean) ** 2, 0) / row.length;
    const [gain, bias] = ["weight", "bias"].map((kind) => /** @type {number[]} */ (stored[`${name}.${kind}`].values));
    return row.map((one, at) => gain[at] * (one - mean) / Math.sqrt(variance + EPSILON) + bias[at]);
  });

  /** Each row times each row of the matrix, as in nn.Linear. @param {Rows} x @param {Rows} weight */
  const linear = (x, weight) => x.map((row) => weight.map((column) => live.dot(row, column)));

  const tables = { words: matrix("words"), places: matrix("places") };
  const layers = Array.from({ length: LAYERS }, (_, at) =>
    ({ norm: `layers.${at}.norm`, qkv: matrix(`layers.${at}.qkv`), output: matrix(`layers.${at}.output`) }));

  /**
   * Of each layer the weights of each head, a row for each word that looks; and the probabilities of the next words.
   * @param {{tokens: number[], mask: string}} input
   */
  function compute({ tokens, mask }) {
    let x = tokens.map((token, at) => tables.words[token].map((one, feature) => one + tables.places[at][feature]));
    const weights = layers.map((layer) => {
      const qkv = linear(norm(x, layer.norm), layer.qkv);
      const width = qkv[0].length / 3 / HEADS;
      const cut = (/** @type {number} */ which, /** @type {number} */ head) => qkv.map((row) =>
        row.slice((which * HEADS + head) * width, (which * HEADS + head + 1) * width));
      const heads = Array.from({ length: HEADS }, (_, head) => {
        const [q, k, v] = [cut(0, head), cut(1, head), cut(2, head)];
        const rows = q.map((query, i) => live.softmax(k.map((key, j) =>
          MASKS[mask](i, j) ? live.dot(query, key) / Math.sqrt(width) : -Infinity)));
        return { rows, found: rows.map((row) => v[0].map((_, at) => row.reduce((sum, one, j) => sum + one * v[j][at], 0))) };
      });
      const output = linear(x.map((_, i) => heads.flatMap(({ found }) => found[i])), layer.output);
      x = x.map((row, i) => row.map((one, at) => one + output[i][at]));
      return heads.map(({ rows }) => rows);
    });
    return { weights, p: linear(norm(x, "norm"), tables.words).map(live.softmax) };
  }

  return { compute, MASKS, WORDS, LONGEST, HEADS, LAYERS };
}
