import { describe, expect, it } from "vitest";
import { cleanHtml, toPreview, renderMessage, showsSomething } from "./message-html.ts";

/** Scripts that an administrator's message could try to inject. */
const ATTACKS = [
  `<script>alert(1)</script>`,
  `<scr<script>ipt>alert(1)</script>`,
  `<img src=x onerror=alert(1)>`,
  `<img src="x" oNeRrOr = "alert(1)">`,
  `<svg onload=alert(1)><script>alert(1)</script></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
  `<a href="javascript:alert(1)">x</a>`,
  `<a href="JaVaScRiPt&#58;alert(1)">x</a>`,
  `<a href="java\tscript:alert(1)">x</a>`,
  `<a href=" &#x01;javascript:alert(1)">x</a>`,
  `<a href="data:text/html,<script>alert(1)</script>">x</a>`,
  `<a href="vbscript:msgbox(1)">x</a>`,
  `<a href="//evil.example/x">x</a>`,
  `<img src="javascript:alert(1)">`,
  `<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">`,
  `<iframe src="javascript:alert(1)"></iframe><iframe srcdoc="<script>alert(1)</script>"></iframe>`,
  `<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">`,
  `<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>`,
  `<div style="background:url(javascript:alert(1));position:fixed;inset:0">x</div>`,
  `<style>@import "javascript:alert(1)";</style>`,
  `<base href="javascript:alert(1)//"><meta http-equiv="refresh" content="0;url=javascript:alert(1)">`,
  `<details open ontoggle=alert(1)>x</details>`,
  `<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
  `<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>`,
  `<template><script>alert(1)</script></template>`,
  `<p><!--><img src=x onerror=alert(1)>--></p>`,
  `<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>`,
  `<img src="/api/user/token"><img src="http://a.example/x.png">`,
  `<input autofocus onfocus=alert(1)><video><source onerror=alert(1)></video>`,
];
/** Tags, handlers and addresses that could run something; text in attribute values does not count. */
const DANGER =
  /<(script|svg|math|iframe|object|embed|form|style|base|meta|template|input|video|link)\b|<[^>]*\son\w+\s*=|(href|src)="(javascript|vbscript|data:text|data:image\/svg|\/\/)|style=|<img src="(http:|\/|x)/i;
const withoutWords = (html: string): string => html.replace(/(alt|title)="[^"]*"/g, "");

describe("message HTML", () => {
  it.each(ATTACKS)("removes %s", (attack) => {
    for (const html of [cleanHtml(attack), renderMessage(attack, "markdown"), renderMessage(attack, "html")])
      expect(withoutWords(html)).not.toMatch(DANGER);
  });

  it.each([
    "[x](javascript:alert(1))",
    "[x](  JAVASCRIPT:alert(1))",
    "![x](javascript:alert(1))",
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    '[x](https://a.example "onmouseover=alert(1)")',
    "![x](data:text/html;base64,PHNjcmlwdD4=)",
    '![" onerror="alert(1)](https://a.example/x.png)',
  ])("removes every script from markdown %s", (attack) => {
    expect(withoutWords(renderMessage(attack, "markdown"))).not.toMatch(DANGER);
  });

  it("returns sanitised HTML unchanged", () => {
    for (const attack of ATTACKS) expect(cleanHtml(cleanHtml(attack))).toBe(cleanHtml(attack));
  });

  it("keeps the elements that messages use", () => {
    const html = `<h2>Hi</h2><p><b>bold</b> <i>it</i><br />x &lt; y</p><ul><li>one</li></ul><table><tr><td colspan="2">1</td></tr></table><img src="https://a.example/x.png" alt="x" />`;
    expect(cleanHtml(html)).toBe(html);
    expect(renderMessage("# Hi\n\n- `a<b`\n", "markdown")).toBe(
      "<h1>Hi</h1>\n<ul>\n<li><code>a&lt;b</code></li>\n</ul>\n",
    );
  });

  it("opens links in a new tab, without opener and referrer", () => {
    expect(cleanHtml(`<a href="https://a.example/" target="_top" rel="opener">x</a>`)).toBe(
      `<a href="https://a.example/" target="_blank" rel="noopener noreferrer nofollow">x</a>`,
    );
  });

  it("has a plain-text preview of at most 100 characters", () => {
    expect(toPreview("<p>one</p><p>two &amp; <b>three</b></p>")).toBe("one two & three");
    expect(toPreview(`<p>${"字".repeat(100)}</p>`)).toBe("字".repeat(100));
    expect(toPreview(`<p>${"字".repeat(101)}</p>`)).toBe(`${"字".repeat(97)}...`);
    expect(toPreview("<p>&amp;lt;script&amp;gt;</p>")).toBe("&lt;script&gt;");
  });

  it("counts as nonempty when it has text or an image", () => {
    expect(showsSomething(cleanHtml("<p> &nbsp; </p>"))).toBe(false);
    expect(showsSomething(cleanHtml(`<img src="https://a.example/x.png">`))).toBe(true);
    expect(showsSomething(cleanHtml(`<img src=x onerror=alert(1)>`))).toBe(false);
  });
});
