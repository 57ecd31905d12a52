/* Sets formulas with MathJax in Node: reads {"tex", "display"} as a line of JSON, answers with a line {"html"}.
   The line "css" is answered with the style sheet of all that MathJax can draw. Usage: node typeset.js MATHJAX_FOLDER */

const lines = require("node:readline").createInterface({ input: process.stdin });
const answer = (content) => process.stdout.write(`${JSON.stringify(content)}\n`);

require(`${process.argv[2]}/node-main.js`).init({
  loader: { load: ["input/tex", "output/chtml", "a11y/assistive-mml"] },
  chtml: { ...JSON.parse(process.argv[3]), adaptiveCSS: false, fontURL: "fonts" },
  startup: { typeset: false },
}).then(async (MathJax) => {
  const { adaptor } = MathJax.startup;
  for await (const line of lines) {
    if (line === "css") {
      answer({ css: adaptor.textContent(MathJax.chtmlStylesheet()) });
    } else {
      const { tex, display } = JSON.parse(line);
      const formula = await MathJax.tex2chtmlPromise(tex, { display, em: 16, ex: 8, containerWidth: 80 * 16 });
      answer({ html: adaptor.outerHTML(formula) });
    }
  }
});
