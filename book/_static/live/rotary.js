// @ts-check
"use strict";

/* A query and a key that are turned by their positions in a text, and their product. */
{
  const WORDS = "the dog that bit the man ran home and the man who bit the dog cried".split(" ");
  const RADIUS = 40;
  const QUERY = [0.9, 0.5, -0.3, 0.9, 0.7, -0.6, 0.2, 0.8];
  const KEY = [-0.2, 1, 0.6, 0.7, 0.9, 0.1, 0.7, 0.5];

  /**
   * The rate of each pair of features.
   * @param {number} d
   */
  const rates = (d) => Array.from({ length: d / 2 }, (_, j) => 10000 ** (-2 * j / d));

  /**
   * Each pair of features turned by the angle of the position.
   * @param {number[]} vector
   * @param {number} position
   */
  const turned = (vector, position) => rates(vector.length).flatMap((rate, j) => {
    const [x, y] = vector.slice(2 * j, 2 * j + 2);
    const [c, s] = [Math.cos(position * rate), Math.sin(position * rate)];
    return [c * x - s * y, s * x + c * y];
  });

  /**
   * A vector and the waves of its position.
   * @param {number[]} vector
   * @param {number} position
   */
  const waved = (vector, position) => rates(vector.length).flatMap((rate, j) =>
    [vector[2 * j] + Math.sin(position * rate), vector[2 * j + 1] + Math.cos(position * rate)]);

  /**
   * The turned vectors, their product pair by pair and in all, and the product where waves are added instead.
   * @param {{query: number[], key: number[], t: number, s: number}} input
   */
  function compute({ query, key, t, s }) {
    const turnedQuery = turned(query, t);
    const turnedKey = turned(key, s);
    const parts = rates(query.length).map((_, j) =>
      live.dot(turnedQuery.slice(2 * j, 2 * j + 2), turnedKey.slice(2 * j, 2 * j + 2)));
    return {
      query: turnedQuery,
      key: turnedKey,
      parts,
      product: live.dot(turnedQuery, turnedKey),
      added: live.dot(waved(query, t), waved(key, s)),
    };
  }

  /** A circle with the arrows of one pair of features. */
  function dial() {
    const arrow = (/** @type {string} */ name) => ({
      line: live.draw("path", { class: `live-arrow live-${name}` }),
      letter: live.draw("text", { class: `live-letter live-${name}` }, name[0]),
    });
    const [query, key] = [arrow("query"), arrow("key")];
    const size = 1.35 * RADIUS;
    const picture = live.draw("svg", { viewBox: `${-size} ${-1.2 * RADIUS} ${2 * size} ${2.4 * RADIUS}` },
      live.draw("circle", { r: RADIUS, class: "live-circle" }), key.line, query.line, key.letter, query.letter);
    const words = live.make("figcaption");
    /** @param {{line: Element, letter: Element}} arrow @param {number[]} pair */
    const point = ({ line, letter }, [x, y]) => {
      const length = Math.hypot(x, y);
      const [right, down] = [RADIUS * x, -RADIUS * y];
      const [along, across] = [[6 * x / length, -6 * y / length], [3 * y / length, 3 * x / length]];
      const back = [right - along[0], down - along[1]];
      line.setAttribute("d", `M0 0L${right} ${down}M${back[0] + across[0]} ${back[1] + across[1]}`
        + `L${right} ${down}L${back[0] - across[0]} ${back[1] - across[1]}`);
      letter.setAttribute("x", String(right + 1.4 * along[0]));
      letter.setAttribute("y", String(down + 1.4 * along[1]));
    };
    return {
      place: live.make("figure", { class: "live-dial" }, picture, words),
      /** @param {number[]} one @param {number[]} other @param {string} text */
      show(one, other, text) {
        point(query, one);
        point(key, other);
        words.textContent = text;
      },
    };
  }

  live.figure("rotary", compute, () => {
    const last = WORDS.length - 1;
    const at = { query: 6, key: 1 };
    /** @type {"query" | "key"} */
    let held = "query";
    /** @type {{distance: number, product: number, added: number} | null} */
    let before = null;

    const words = WORDS.map((word, position) => live.make("span", { class: "live-word", "data-position": position }, word));
    const text = live.make("p", { class: "live-text", "aria-hidden": "true" }, ...words.flatMap((word) => [word, " "]));
    const dials = rates(QUERY.length).map(dial);
    const [turnedProduct, addedProduct] = [live.make("b"), live.make("b")];
    const readouts = live.make("div", { class: "live-readouts", "aria-hidden": "true" },
      live.make("span", {}, "turned", turnedProduct), live.make("span", {}, "waves added", addedProduct));
    const status = live.status();
    const named = (/** @type {number} */ position) => `${position}, ${WORDS[position]}`;
    const sliders = {
      query: live.slider("Position t of the query (solid)", { min: 0, max: last, value: at.query }, named, (position) => move("query", position)),
      key: live.slider("Position s of the key (dashed)", { min: 0, max: last, value: at.key }, named, (position) => move("key", position)),
    };
    const together = live.tick("Move both together", () => {
      status.textContent = together.input.checked ? "Query and key now move together." : "Query and key now move apart.";
    });

    /** @param {"query" | "key"} which @param {number} position */
    function move(which, position) {
      const other = which === "query" ? "key" : "query";
      let step = position - at[which];
      if (together.input.checked) {
        step = Math.max(-at[other], Math.min(last - at[other], step));
        at[other] += step;
      }
      at[which] += step;
      show();
    }

    function show() {
      sliders.query.value = at.query;
      sliders.key.value = at.key;
      words.forEach((word, position) => {
        word.classList.toggle("is-query", position === at.query);
        word.classList.toggle("is-key", position === at.key);
      });
      const found = compute({ query: QUERY, key: KEY, t: at.query, s: at.key });
      dials.forEach(({ show: turn }, j) => turn(found.query.slice(2 * j, 2 * j + 2), found.key.slice(2 * j, 2 * j + 2),
        `rate ${+(10 ** -j).toFixed(j)}\nproduct ${live.number(found.parts[j])}`));
      turnedProduct.textContent = live.number(found.product);
      addedProduct.textContent = live.number(found.added);
      const distance = at.query - at.key;
      const where = distance === 0 ? "at the place of the query" : `${Math.abs(distance)} place${Math.abs(distance) > 1 ? "s" : ""} ${distance > 0 ? "before" : "after"} the query`;
      const [product, added] = [live.number(found.product), live.number(found.added)];
      const moved = !before ? `the product is ${product}; with waves added instead it is ${added}`
        : before.distance === distance ? `the distance is the same, and the product is still ${product}; with waves added it went from ${live.number(before.added)} to ${added}`
          : `the product went from ${live.number(before.product)} to ${product}, with waves added from ${live.number(before.added)} to ${added}`;
      status.textContent = `The key stands ${where}: ${moved}.`;
      before = { distance, product: found.product, added: found.added };
    }

    /** @param {PointerEvent} event */
    function drag(event) {
      const word = document.elementFromPoint(event.clientX, event.clientY)?.closest(".live-word");
      if (!(word instanceof HTMLElement) || !text.contains(word)) return;
      const position = Number(word.dataset.position);
      if (event.type === "pointerdown")
        held = Math.abs(position - at.query) <= Math.abs(position - at.key) ? "query" : "key";
      if (position !== at[held]) move(held, position);
    }

    text.addEventListener("pointerdown", (event) => {
      drag(event);
      text.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    text.addEventListener("pointermove", (event) => {
      if (text.hasPointerCapture(event.pointerId)) drag(event);
    });

    show();
    return [
      text,
      live.make("div", { class: "live-controls" }, sliders.query.row, sliders.key.row, together.row, readouts),
      live.make("div", { class: "live-dials" }, ...dials.map(({ place }) => place)),
      status,
    ];
  });
}
