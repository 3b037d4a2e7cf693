import { expect, it } from "vitest";
import { markdownToHtml } from "./markdown.ts";

it("renders headings, lists and links", () => {
  const html = markdownToHtml("# News\n\n- one\n- [two](https://example.com)\n");
  expect(html).toContain("<h1>News</h1>");
  expect(html).toContain('<a href="https://example.com">two</a>');
});

it("shows HTML as text, in a line and on lines of its own", () => {
  const html = markdownToHtml('Hello <b onclick="x()">you</b>\n\n<script>alert(1)</script>\n\n<div>\nblock\n</div>');
  expect(html).not.toMatch(/<(?:b|script|div)\b/);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
});
