// @ts-check
"use strict";

/* From an array of the figure gpt to the line of code that computes it, and to its equation. */

/**
 * Mark a line of code that a cell of this page shows, and give a link to it.
 * @param {HTMLElement} code
 */
function gptLine(code) {
  const line = code.textContent?.trim() ?? "";
  const cell = [...document.querySelectorAll("div.highlight pre")].find((one) => one.textContent?.includes(line));
  const block = cell?.closest("div.cell, div.highlight");
  if (!cell || !block) return code.cloneNode(true);
  block.id ||= `line-${[...document.querySelectorAll("div.cell, div.highlight")].indexOf(block)}`;
  const link = live.make("a", { href: `#${block.id}` }, code.cloneNode(true));
  link.addEventListener("click", () => requestAnimationFrame(() => {
    const range = document.createRange();
    let [start, passed] = [cell.textContent?.indexOf(line) ?? 0, 0];
    const letters = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let piece = letters.nextNode(); piece; piece = letters.nextNode()) {
      const length = piece.textContent?.length ?? 0;
      if (passed <= start && start < passed + length) range.setStart(piece, start - passed);
      if (passed < start + line.length && start + line.length <= passed + length) range.setEnd(piece, start + line.length - passed);
      passed += length;
    }
    CSS.highlights?.set("live-line", new Highlight(range));
    window.scrollBy({ top: range.getBoundingClientRect().top - window.innerHeight / 3 });
  }));
  return link;
}

/**
 * The line of code and the equation of each array, as the table of the figure's text has them.
 * @param {HTMLElement} place
 * @param {string[]} stages
 */
function gptExplanations(place, stages) {
  /** @type {Record<string, Node[]>} */
  const found = {};
  for (const row of place.querySelectorAll("tbody tr")) {
    const [names, line, equation] = /** @type {HTMLTableRowElement} */ (row).cells;
    const [kind, listed] = (names.textContent ?? "").trim().split(": ");
    const code = line.querySelector("code");
    if (!code || !listed) throw new Error(`not a row of arrays: ${row.textContent}`);
    const numbered = live.make("span", {}, " equation ", ...[...equation.childNodes].map((one) => one.cloneNode(true)));
    for (const stage of stages.filter((one) => one.startsWith(kind)))
      for (const array of listed.split(", ")) found[`${stage}: ${array}`] = [gptLine(code), numbered];
  }
  return (/** @type {string} */ key) => found[key];
}
