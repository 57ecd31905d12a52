/* Starts reveal.js, and sets what is too large for a slide smaller. */

const smallest = 0.6;

/** Set a slide's content smaller until it fits; the tests see to it that what this cannot do never happens. */
function fit(slide) {
  const body = slide?.querySelector(":scope > .body");
  const content = body?.querySelector(".fit");
  if (!content || content.style.zoom) return;
  content.style.zoom = 1;
  const inside = (box) => box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1;
  const fits = () => inside(body) && [...content.querySelectorAll("pre")].every(inside);
  for (let height = 520; height >= 300; height -= 20) {
    content.style.setProperty("--picture", `${height}px`);
    if (fits()) return;
  }
  for (let scale = 0.97; scale >= smallest; scale -= 0.03) {
    content.style.zoom = scale;
    if (fits()) return;
  }
}

Reveal.initialize({
  width: 1280, height: 720, margin: 0, center: false, hash: true, slideNumber: "c/t", controlsTutorial: false, transition: "none",
  totalTime: 5400, plugins: [RevealNotes],
});
Reveal.on("slidechanged", ({ currentSlide }) => fit(currentSlide));

window.addEventListener("load", async () => {
  await document.fonts.ready;
  fit(Reveal.getCurrentSlide());
  document.documentElement.dataset.deck = "ready";
});
