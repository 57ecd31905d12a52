// @ts-check
"use strict";

/* What a reader has read, kept in this browser alone: chapters whose end was on the screen, and the last place. */
{
  const KEY = "transformers-equation-by-equation";
  const [, root, here] = /^(.*\/)(chapters\/\d\d_[^/]*\.html)$/.exec(location.pathname) ?? [];

  /** @typedef {{read: string[], last?: {address: string, title: string}}} Progress */
  /** @returns {Progress} nothing where the browser keeps nothing */
  function load() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
      return { ...kept, read: Array.isArray(kept.read) ? kept.read : [] };
    } catch {
      return { read: [] };
    }
  }

  /** @param {Partial<Progress>} change */
  function save(change) {
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...load(), ...change }));
    } catch { /* A browser that keeps nothing shows no marks. */ }
  }

  /** Mark the links to the chapters that were read, for the eye and for the ear. */
  function mark() {
    const { read } = load();
    /** @type {NodeListOf<HTMLAnchorElement>} */
    const links = document.querySelectorAll(".bd-sidebar-primary a, .map-chapter");
    for (const link of links) {
      const place = link.querySelector(".map-title") ?? link;
      if (place.classList.contains("is-read") || !read.some((page) => link.pathname.endsWith(`/${page}`))) continue;
      const said = document.createElement("span");
      said.className = "visually-hidden";
      said.textContent = ", read to the end";
      place.classList.add("is-read");
      place.append(said);
    }
    /** @type {HTMLElement | null} */
    const note = document.querySelector(".map-progress");
    if (note) note.hidden = read.length === 0;
  }

  /** On a chapter: keep where the reader is, and whether its end was there; behind the end comes the next page. */
  function follow() {
    const end = document.querySelector(".prev-next-footer");
    /** @type {HTMLAnchorElement | null | undefined} */
    const next = end?.querySelector("a.right-next");
    if (!end || !next) return;
    const sections = [...document.querySelectorAll("article section[id]")];
    const note = () => {
      if (window.scrollY === 0) return;
      const isOver = end.getBoundingClientRect().top < innerHeight;
      const seen = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 3);
      save({ last: isOver
        ? { address: next.pathname.slice(root.length), title: next.querySelector(".prev-next-title")?.textContent ?? "" }
        : { address: `${here}#${seen.at(-1)?.id ?? ""}`, title: document.title.split(" \u2014 ")[0] } });
    };
    document.addEventListener("scrollend", note);
    window.addEventListener("pagehide", note);
    new IntersectionObserver(([entry]) => {
      const { read } = load();
      if (!entry.isIntersecting || read.includes(here)) return;
      save({ read: [...read, here].sort() });
      mark();
    }).observe(end);
  }

  /** On the first page: the way on, in place of the way in. */
  function offer() {
    /** @type {HTMLAnchorElement | null} */
    const way = document.querySelector(".front-ways a");
    const { last } = load();
    if (!way || !last) return;
    way.textContent = `Continue with ${last.title}`;
    way.href = `../${last.address}`;
  }

  /** The map says what a chapter stands on, and how long that takes. */
  function explain() {
    const note = document.querySelector(".map-note");
    /** @type {NodeListOf<HTMLElement>} */
    const all = document.querySelectorAll(".map-chapter");
    /** @type {NodeListOf<SVGPathElement>} */
    const drawn = document.querySelectorAll(".map-line:not(.is-partly)");
    const [boxes, lines] = [[...all], [...drawn]];
    if (!note || boxes.length === 0) return;
    const told = note.textContent;
    const number = (/** @type {HTMLElement | SVGElement} */ element, name = "chapter") => Number(element.dataset[name]);
    /** @type {(chapter: number) => number[]} */
    const before = (chapter) => lines.filter((line) => number(line, "to") === chapter)
      .flatMap((line) => [number(line, "from"), ...before(number(line, "from"))]);
    const show = (/** @type {HTMLElement | null} */ box) => {
      const needed = new Set(box ? before(number(box)) : []);
      const first = boxes.filter((one) => needed.has(number(one)));
      for (const one of boxes) one.classList.toggle("is-needed", needed.has(number(one)));
      for (const line of lines) {
        const to = number(line, "to");
        line.classList.toggle("is-needed", Boolean(box) && (needed.has(to) || to === number(/** @type {HTMLElement} */ (box))));
      }
      const hours = first.reduce((sum, one) => sum + number(one, "hours"), 0);
      const names = first.map((one) => number(one)).join(", ").replace(/, (\d+)$/, " and $1");
      note.textContent = !box ? told : first.length === 0 ? `Chapter ${number(box)} needs no other chapter.`
        : `Before chapter ${number(box)} come${first.length > 1 ? "" : "s"} ${names}: ${Math.floor(hours)}${hours % 1 ? "½" : ""} hours of reading.`;
    };
    for (const box of boxes) {
      box.addEventListener("mouseenter", () => show(box));
      box.addEventListener("focus", () => show(box));
      for (const gone of ["mouseleave", "blur"]) box.addEventListener(gone, () => show(null));
    }
    document.querySelector(".map-forget")?.addEventListener("click", () => {
      try {
        localStorage.removeItem(KEY);
      } catch { /* Nothing was kept. */ }
      location.reload();
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    if (here) follow();
    offer();
    explain();
    mark();
  });
}
