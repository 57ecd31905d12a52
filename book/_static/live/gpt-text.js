// @ts-check
"use strict";

/* The text of a reader of the figure gpt, and the words that the model knows. */

/**
 * A place to type, some beginnings, and a note on what the model reads of them.
 * @param {ReturnType<typeof gptModel>} model
 * @param {() => void} changed
 */
function gptText({ encode, words, context }, changed) {
  const TEXTS = {
    "a beginning": "emil was a lazy boy from a lonely village .",
    "who says thank you?": "emil was a lazy boy from a lonely village . one snowy evening he found a golden key beside a lovely blue tree . "
      + "\" i have lost my friend , \" said a merry goat . they sailed quickly around a golden lake . "
      + "with the golden key he quickly opened a locked gate . \" thank you ,",
    "nothing yet": "",
  };

  const text = live.make("textarea", { rows: 3, spellcheck: "false", autocapitalize: "off" });
  const choice = live.make("select", {}, ...Object.keys(TEXTS).map((name) => live.make("option", {}, name)));
  const note = live.make("p", { class: "live-note", "aria-hidden": "true" });
  const known = live.make("div", { popover: "auto", class: "live-known" }, words.slice(1).join(" "));

  function tell() {
    const { tokens, unknown } = encode(text.value);
    note.textContent = unknown.length ? `Unknown, skipped: ${unknown.join(", ")}` : `${tokens.length} of at most ${context} tokens`;
    text.scrollTop = text.scrollHeight;
  }

  text.value = TEXTS["a beginning"];
  text.addEventListener("input", () => {
    tell();
    changed();
  });
  choice.addEventListener("change", () => {
    text.value = TEXTS[/** @type {keyof typeof TEXTS} */ (choice.value)];
    tell();
    changed();
  });
  tell();

  return {
    known,
    place: live.make("div", { class: "live-controls live-typed" },
      live.make("label", { class: "live-choice" }, "Your text", text),
      live.make("div", {}, live.make("label", { class: "live-choice" }, "Begin with", choice), note)),
    get value() { return text.value; },
    set value(words) {
      text.value = words;
      tell();
    },
    /** What the model does not read, in sentences. */
    left() {
      const { unknown, cut } = encode(text.value);
      const skipped = unknown.length ? ` It skips ${unknown.join(", ")}, which it does not know.` : "";
      return skipped + (cut ? ` The first ${cut} are out of its sight.` : "");
    },
  };
}
