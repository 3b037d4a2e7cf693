import { createHash } from "node:crypto";
import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { describe, expect, it } from "vitest";
import { getCustomCode } from "./custom-code.ts";

const getErrorCode = (values: Record<string, string>) =>
  getCustomCode(optionsInForce(Object.entries(values).map(([key, value]) => ({ key, value }))));
const getHash = (script: string): string => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

describe("custom code of the root user", () => {
  it("is empty while the options are empty or blank", () => {
    expect(getErrorCode({})).toBeUndefined();
    expect(getErrorCode({ custom_head_html: " \n", global_css: "", global_js: " " })).toBeUndefined();
  });

  it("allows an inline script by its hash, whatever its line ends were", () => {
    const code = getErrorCode({ custom_head_html: "<script>\r\nalert(1)\r\n</script>" });
    expect(code?.headHtml).toBe("<script>\nalert(1)\n</script>");
    expect(code?.sources["script-src"]).toEqual([getHash("\nalert(1)\n")]);
  });

  it("allows a script of another site by its origin, and the origins that an inline script names", () => {
    const code = getErrorCode({
      custom_head_html: `<script async src="https://www.stats.example/tag.js?id=1"></script>
        <script>load("//cdn.more.example/x.js"); beacon('https://in.stats.example/collect')</script>`,
    });
    expect(code?.sources["script-src"]).toEqual(
      expect.arrayContaining(["https://www.stats.example", "https://cdn.more.example", "https://in.stats.example"]),
    );
    expect(code?.sources["connect-src"]).toContain("https://in.stats.example");
    expect(code?.sources["script-src"]).not.toContain("'unsafe-inline'");
  });

  it("does not allow scripts from origins that are only linked to", () => {
    const code = getErrorCode({ custom_head_html: '<link rel="stylesheet" href="https://fonts.example/css">' });
    expect(code?.sources["script-src"]).toEqual([]);
    expect(code?.sources["style-src"]).toEqual(["https://fonts.example"]);
    expect(code?.sources["font-src"]).toContain("https://fonts.example");
  });

  it("links the stylesheet and the script, which the site itself serves", () => {
    const code = getErrorCode({
      global_css: "@import 'https://css.example/a.css';",
      global_js: "fetch('https://api.example')",
    });
    expect(code?.headHtml).toContain('<link rel="stylesheet" href="/custom/global.css">');
    expect(code?.headHtml).toContain('<script src="/custom/global.js" defer></script>');
    expect(code?.sources["style-src"]).toEqual(["https://css.example"]);
    expect(code?.sources["connect-src"]).toEqual(["https://api.example"]);
  });

  it("cannot break the policy with the origins it names", () => {
    const code = getErrorCode({ custom_head_html: `<script src="https://a.example;object-src *"></script>` });
    expect(JSON.stringify(code?.sources)).not.toContain(";");
  });
});
