// @ts-check
"use strict";

/* What live figures share. Classic scripts, because browsers refuse modules from file://. */

const live = {
  /**
   * Add to the place of a figure what can be moved, and the function behind its numbers as `compute`.
   * @param {string} name
   * @param {(input: any) => any} compute
   * @param {(place: HTMLElement) => Node[]} build
   */
  figure(name, compute, build) {
    document.addEventListener("DOMContentLoaded", () => {
      const place = document.getElementById(`live-${name}`);
      if (!place) return;
      place.append(live.make("div", { class: "live-panel" }, ...build(place)));
      Object.assign(place, { compute });
    });
  },

  /**
   * An element of HTML.
   * @template {keyof HTMLElementTagNameMap} Tag
   * @param {Tag} tag
   * @param {Record<string, string | number>} [attributes]
   * @param {...(Node | string)} children
   * @returns {HTMLElementTagNameMap[Tag]}
   */
  make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children);
    return element;
  },

  /**
   * An element of a drawing. Drawings are hidden from screen readers: the status says what they show.
   * @param {string} tag
   * @param {Record<string, string | number>} [attributes]
   * @param {...(Node | string)} children
   */
  draw(tag, attributes = {}, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    if (tag === "svg") element.setAttribute("aria-hidden", "true");
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children);
    return element;
  },

  /**
   * A slider below its name and its value, which `words` puts in words.
   * @param {string} name
   * @param {{min: number, max: number, value: number}} bounds
   * @param {(value: number) => string} words
   * @param {(value: number) => void} moved
   */
  slider(name, bounds, words, moved) {
    const input = live.make("input", { type: "range", step: 1, ...bounds });
    const value = live.make("span", { class: "live-value" });
    const tell = () => {
      value.textContent = words(input.valueAsNumber);
      input.setAttribute("aria-valuetext", value.textContent);
    };
    input.addEventListener("input", () => {
      tell();
      moved(input.valueAsNumber);
    });
    tell();
    return {
      row: live.make("label", { class: "live-slider" }, live.make("span", {}, name), value, input),
      get value() { return input.valueAsNumber; },
      set value(place) {
        input.value = String(place);
        tell();
      },
    };
  },

  /**
   * A box to tick.
   * @param {string} name
   * @param {() => void} changed
   */
  tick(name, changed) {
    const input = live.make("input", { type: "checkbox" });
    input.addEventListener("change", changed);
    return { input, row: live.make("label", { class: "live-tick" }, input, name) };
  },

  /**
   * A button.
   * @param {string} name
   * @param {() => void} pressed
   */
  button(name, pressed) {
    const button = live.make("button", { type: "button", class: "live-button" }, name);
    button.addEventListener("click", pressed);
    return button;
  },

  /** The sentence under a figure that says what changed, aloud where a screen reader is used. */
  status: () => live.make("p", { class: "live-status", role: "status" }),

  /**
   * A number as the book writes it.
   * @param {number} number
   */
  number(number, places = 2) {
    return number.toFixed(places).replace(/^-(?=[0.]*$)/, "").replace("-", "\u2212");
  },

  /**
   * Numbers of a normal distribution, the same for the same seed in every browser.
   * @param {number} seed
   * @param {number} count
   */
  normal(seed, count) {
    let state = seed;
    const uniform = () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
    };
    return Array.from({ length: count }, () =>
      Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
  },

  /**
   * The inner product.
   * @param {number[]} a
   * @param {number[]} b
   */
  dot: (a, b) => a.reduce((sum, one, at) => sum + one * b[at], 0),

  /**
   * Positive weights that sum to 1; a score of minus infinity gets none.
   * @param {number[]} scores
   */
  softmax(scores) {
    const largest = Math.max(...scores);
    const exponentials = scores.map((score) => Math.exp(score - largest));
    const sum = exponentials.reduce((total, one) => total + one, 0);
    return exponentials.map((one) => one / sum);
  },
};
