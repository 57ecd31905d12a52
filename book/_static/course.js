/* Mends for screen readers: names and roles that the theme and its extensions leave out or get wrong. */

document.addEventListener("DOMContentLoaded", () => {
  const each = (selector, mend) => document.querySelectorAll(selector).forEach(mend);

  /* A label that differs from the visible words hides them from people who speak to their computer. */
  each(".search-button__button, details.hide > summary", (control) => control.removeAttribute("aria-label"));

  each(".bd-sidebar-primary summary:not([aria-label])", (summary) => {
    const page = summary.closest("li").querySelector("a").textContent.trim();
    summary.setAttribute("aria-label", `Pages under ${page}`);
  });

  /* The parameters of a signature are laid out as a definition list that defines nothing. */
  each("dt.sig > dl", (list) => {
    const lines = document.createElement("div");
    lines.className = "sig-lines";
    list.querySelectorAll(":scope > dd").forEach((parameter) => {
      const line = document.createElement("div");
      line.append(...parameter.childNodes);
      lines.append(line);
    });
    list.replaceWith(lines);
  });

  /* The bibliography's roles are outdated; its entries are plain text with a label. */
  each(".citation-list, .citation", (element) => element.removeAttribute("role"));
});
