// @ts-check
"use strict";

/* One query, eight keys, all random: which weights a softmax of their products gives at a width and a temperature. */
{
  const KEYS = 8;
  const WIDEST = 1024;

  /**
   * Weights of the keys, and for each the derivative of its weight by its score.
   * @param {{query: number[], keys: number[][], temperature: number}} input
   */
  function compute({ query, keys, temperature }) {
    const products = keys.map((key) => live.dot(query, key));
    const weights = live.softmax(products.map((product) => product / temperature));
    return { products, weights, slopes: weights.map((weight) => weight * (1 - weight)) };
  }

  /** @param {number} half */
  const power = (half) => 2 ** (half / 2);

  /** @param {number} value */
  const plain = (value) => String(+value.toFixed(value < 1 ? 3 : 2));

  live.figure("softmax", compute, () => {
    let seed = 1;
    /** @type {number[]} */
    let query = [];
    /** @type {number[][]} */
    let keys = [];

    const width = live.slider("Width k", { min: 0, max: 10, value: 6 }, (at) => plain(2 ** at), show);
    const temperature = live.slider("Temperature T", { min: -6, max: 12, value: 0 }, (at) => plain(power(at)), () => {
      follow.input.checked = false;
      show();
    });
    const follow = live.tick("T follows √k", show);
    const rows = Array.from({ length: KEYS }, (_, at) => ({
      product: live.make("td"),
      bar: live.make("div", { class: "live-bar" }),
      weight: live.make("td"),
      name: live.make("th", { scope: "row" }, `key ${at + 1}`),
    }));
    const status = live.status();

    function draw() {
      query = live.normal(seed, WIDEST);
      keys = Array.from({ length: KEYS }, (_, at) => live.normal(1000 * seed + at + 1, WIDEST));
      show();
    }

    function show() {
      const k = 2 ** width.value;
      if (follow.input.checked) temperature.value = width.value;
      const T = power(temperature.value);
      const short = keys.map((key) => key.slice(0, k));
      const { products, weights, slopes } = compute({ query: query.slice(0, k), keys: short, temperature: T });
      rows.forEach(({ product, bar, weight }, at) => {
        product.textContent = live.number(products[at], 1);
        bar.style.width = `${100 * weights[at]}%`;
        weight.textContent = live.number(weights[at]);
      });
      const most = Math.max(...weights);
      const steepest = Math.max(...slopes);
      const passes = steepest < 0.02 ? "almost no gradient passes" : steepest < 0.1 ? "little gradient passes" : "gradient passes";
      status.textContent = `With k = ${k} and T = ${plain(T)}, key ${weights.indexOf(most) + 1} has ${live.number(most)} of the weight `
        + `(equal weights: 1/${KEYS}). The largest slope α(1 − α) is ${live.number(steepest, 3)}: ${passes}.`;
    }

    draw();
    const heads = ["", "product", "weight", ""].map((name) => name ? live.make("th", { scope: "col" }, name) : live.make("td"));
    const table = live.make("table", { class: "live-weights" },
      live.make("thead", {}, live.make("tr", {}, ...heads)),
      live.make("tbody", {}, ...rows.map(({ name, product, bar, weight }) =>
        live.make("tr", {}, name, product, live.make("td", { class: "live-track" }, bar), weight))));
    const others = live.button("Other vectors", () => {
      seed += 1;
      draw();
    });
    return [
      live.make("div", { class: "live-controls" }, width.row, temperature.row,
        live.make("div", { class: "live-choices" }, follow.row, others)),
      table,
      status,
    ];
  });
}
