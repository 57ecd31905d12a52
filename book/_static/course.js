/* Names and roles for screen readers that the theme leaves out, and equations and tables that fit a phone. */

const each = (selector, mend, within = document) => within.querySelectorAll(selector).forEach(mend);

document.addEventListener("DOMContentLoaded", () => {
  /* A button is called by its visible words; one that is only a picture needs a label. */
  each("button[title], button[data-bs-title]", (button) => {
    const label = button.title || button.dataset.bsTitle;
    if (button.textContent.trim()) button.removeAttribute("aria-label");
    else button.setAttribute("aria-label", label);
  });
  each("details.hide > summary", (summary) => summary.removeAttribute("aria-label"));

  each(".bd-sidebar-primary summary:not([aria-label])", (summary) => {
    const page = summary.closest("li").querySelector("a").textContent.trim();
    summary.setAttribute("aria-label", `Pages under ${page}`);
  });

  /* The parameters of a signature are laid out as a definition list that defines nothing. */
  each("dt.sig > dl", (list) => {
    const lines = document.createElement("div");
    lines.className = "sig-lines";
    each(":scope > dd", (parameter) => {
      const line = document.createElement("div");
      line.append(...parameter.childNodes);
      lines.append(line);
    }, list);
    list.replaceWith(lines);
  });

  /* The bibliography's roles are outdated; its entries are plain text with a label. */
  each(".citation-list, .citation", (element) => element.removeAttribute("role"));
});

const phone = window.matchMedia("(max-width: 600px)");

/* An equation that is a little wider than its line is set smaller, within limits: authors break the others. */
function fitEquations() {
  const smallest = phone.matches ? 0.65 : 0.85;
  const equations = [...document.querySelectorAll(".bd-article mjx-container")];
  for (const equation of equations) {
    equation.dataset.size ??= parseFloat(equation.style.fontSize) || 100;
    equation.style.fontSize = `${equation.dataset.size}%`;
  }
  const scales = equations.map((equation) => {
    const drawn = equation.querySelector(":scope > mjx-math");
    const place = equation.parentElement.closest("div, p, li, dd, dt, td, th, figcaption");
    if (!drawn || !place || (place.closest("td, th") && !place.closest(".stacked"))) return 1;
    const { paddingLeft, paddingRight } = getComputedStyle(place);
    const number = phone.matches ? null : place.querySelector(":scope > .eqno");
    const room = place.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
      - (number ? number.offsetWidth + 16 : 0);
    const width = drawn.getBoundingClientRect().width;
    return room > 0 && width > room ? Math.max(smallest, (room - 1) / width) : 1;
  });
  equations.forEach((equation, at) => {
    if (scales[at] < 1) equation.style.fontSize = `${equation.dataset.size * scales[at]}%`;
  });
}

/* A table wider than a phone shows its rows one below another, each cell with the name of its column. */
function stackTables() {
  const tables = [...document.querySelectorAll(".bd-article table:not(.highlighttable)")];
  tables.forEach((table) => table.classList.remove("stacked"));
  if (!phone.matches) return;
  const tooWide = tables.filter((table) => table.tHead && table.offsetWidth > table.parentElement.clientWidth);
  for (const table of tooWide) {
    if (!table.hasAttribute("role")) nameCells(table);
    table.classList.add("stacked");
  }
}

/* Cells that are not laid out as a table keep their roles only if they are spelled out. */
function nameCells(table) {
  table.setAttribute("role", "table");
  each("thead, tbody", (group) => group.setAttribute("role", "rowgroup"), table);
  each("tr", (row) => row.setAttribute("role", "row"), table);
  each("thead th", (cell) => cell.setAttribute("role", "columnheader"), table);
  const columns = [...table.tHead.rows].at(-1).cells;
  each("tbody tr", (row) => [...row.cells].forEach((cell, at) => {
    cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "cell");
    if (at === 0 || !columns[at]) return;
    const name = document.createElement("span");
    name.className = "column-name";
    name.setAttribute("aria-hidden", "true");
    name.append(...columns[at].cloneNode(true).childNodes);
    cell.prepend(name);
  }), table);
}

/* What scrolls can be reached with the keyboard; the theme sees to this only some time after a change of size. */
function reachWhatScrolls() {
  each(".bd-article pre, .bd-article .pst-scrollable-table-container, .bd-article div.math", (box) => {
    box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
  });
}

/* A term of the glossary is explained where the pointer or the keyboard is on it; Escape closes the explanation. */
function explainTerms() {
  const note = document.createElement("div");
  note.className = "term-note";
  note.setAttribute("aria-hidden", "true"); /* The link has the same words as its description. */
  note.hidden = true;
  document.body.append(note);
  let closing;
  const close = () => { note.hidden = true; };
  const closeSoon = () => { closing = setTimeout(close, 200); };
  const stay = () => clearTimeout(closing);
  const open = (term) => {
    stay();
    note.textContent = document.getElementById(term.getAttribute("aria-describedby")).textContent;
    note.hidden = false;
    const { left, bottom, top } = term.getBoundingClientRect();
    const rightmost = document.documentElement.clientWidth - note.offsetWidth - 12;
    const below = bottom + note.offsetHeight + 12 < innerHeight;
    note.style.left = `${scrollX + Math.max(12, Math.min(left, rightmost))}px`;
    note.style.top = `${scrollY + (below ? bottom + 6 : top - note.offsetHeight - 6)}px`;
  };
  each(".bd-article a.term", (term) => {
    term.addEventListener("mouseenter", () => open(term));
    term.addEventListener("focus", () => open(term));
    term.addEventListener("mouseleave", closeSoon);
    term.addEventListener("blur", close);
  });
  note.addEventListener("mouseenter", stay);
  note.addEventListener("mouseleave", closeSoon);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
}

document.addEventListener("DOMContentLoaded", explainTerms);

function fit() {
  stackTables();
  fitEquations();
  reachWhatScrolls();
}

window.addEventListener("load", async () => {
  await document.fonts.ready;
  fit();
  window.addEventListener("resize", fit);
  document.addEventListener("toggle", fit, true);
});
