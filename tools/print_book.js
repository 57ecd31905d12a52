/* What is wider than the sheet is set smaller, and code is kept on one sheet where it is short enough. */

() => {
  const room = (element) => {
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    return element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  };
  const formulas = [...document.querySelectorAll(".bd-article mjx-container")].map((formula) => {
    const drawn = formula.querySelector(":scope > mjx-math");
    const place = formula.parentElement.closest("div, p, li, dd, dt, td, th, figcaption");
    if (!drawn || !place || place.closest("td, th")) return [formula, 1];
    const number = place.querySelector(":scope > .eqno");
    return [formula, (room(place) - (number ? number.offsetWidth + 16 : 0)) / drawn.getBoundingClientRect().width];
  });
  for (const [formula, scale] of formulas) {
    if (scale < 1) formula.style.fontSize = `${(parseFloat(formula.style.fontSize) || 100) * scale}%`;
  }

  const tables = [...document.querySelectorAll(".bd-article table")].map((table) => {
    const place = table.closest(".pst-scrollable-table-container, .table-wrapper, .cell_output") ?? table.parentElement;
    return [table, room(place) / table.scrollWidth];
  });
  for (const [table, scale] of tables) if (scale < 1) table.style.zoom = scale;

  const listings = [...document.querySelectorAll(".bd-article pre")].map((pre) => [
    pre, pre.clientWidth / pre.scrollWidth, pre.offsetHeight,
  ]);
  const aThird = innerHeight / 3;
  for (const [pre, scale, height] of listings) {
    if (scale < 1) pre.style.fontSize = `${Math.max(0.75, scale) * parseFloat(getComputedStyle(pre).fontSize)}px`;
    if (scale < 0.75) pre.style.whiteSpace = "pre-wrap";
    if (height < aThird) pre.style.breakInside = "avoid";
  }
  for (const output of document.querySelectorAll(".bd-article .cell_input + .cell_output")) {
    if (output.parentElement.offsetHeight < 2 * aThird) output.style.breakBefore = "avoid";
  }
  return true;
}
