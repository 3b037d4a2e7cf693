import { expect, it } from "vitest";
import { responseHtml } from "./response-html.ts";

it.each([
  ["a task that is open", "- [ ] wash", "☐ wash"],
  ["one that is done", "- [x] dry", "☑ dry"],
  ["HTML", "a <b onclick=x>b</b>", "a &lt;b onclick=x>b&lt;/b>"],
  ["an image", '![a "cat"](https://x.example/a.png)', '<a href="https://x.example/a.png">a "cat"</a>'],
  ["a formula in brackets", "so \\(a_1 * b_2 * c\\) is", "<code>\\(a_1 * b_2 * c\\)</code>"],
  ["one of its own", "\\[\n\\frac{a}{b} < 1\n\\]", "<code>\\[\n\\frac{a}{b} &lt; 1\n\\]</code>"],
  ["one between dollars", "$a*b*c$, $$x_1 + x_2$$", "<code>$a*b*c$</code>, <code>$$x_1 + x_2$$</code>"],
  ["money", "from $5 to *ten* dollars ($10)", "from $5 to <em>ten</em> dollars ($10)"],
  ["prices side by side", "$5-$10", "$5-$10"],
  ["code", "`$a$ \\(b\\)`", "<code>$a$ \\(b\\)</code>"],
])("shows %s", (_, source, shown) => {
  expect(responseHtml(source)).toContain(shown);
});
