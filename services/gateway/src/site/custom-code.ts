import { createHash } from "node:crypto";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { PolicySources } from "../http/content-policy.ts";

/** What root adds to every page: markup for its head, and what a strict policy must let in for it. */
export type CustomCode = { readonly headHtml: string; readonly sources: PolicySources };

export const CSS_PATH = "/custom/global.css";
export const JS_PATH = "/custom/global.js";

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const SOURCE_ATTRIBUTE = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;
const STYLE_LINK = /<link\b[^>]*\bhref\s*=\s*["']?(https?:\/\/[^"'\s>]+)[^>]*>/gi;
const STYLE_ADDRESS = /(?:url\(|@import)\s*["']?(https?:\/\/[^"')\s;]+)/gi;
const QUOTED_ADDRESS = /["'`](?:https?:)?(\/\/[a-z0-9.-]+(?::\d+)?)/gi;
const ANY_ADDRESS = /https?:\/\/[a-z0-9.-]+(?::\d+)?/gi;

/** Browsers read line ends as one sign before they hash a script. */
const withPlainLineEnds = (text: string): string => text.replace(/\r\n?/g, "\n");

/** The origin of an address as a policy names it; one without a scheme is taken as https. */
function originOf(address: string): string[] {
  const full = address.startsWith("//") ? `https:${address}` : address;
  return URL.canParse(full) && /^https?:/.test(full) ? [new URL(full).origin] : [];
}

const originsIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap((match) => originOf(match[1] ?? match[0]));

const getHash = (script: string): string => `'sha256-${createHash("sha256").update(script, "utf8").digest("base64")}'`;

/** What one script needs: its origin, or its hash and the origins it names in quotes, since it may load more from there. */
function scriptSources(attributes: string, body: string): string[] {
  const [, double, single, bare] = SOURCE_ATTRIBUTE.exec(attributes) ?? [];
  const address = double ?? single ?? bare;
  if (address !== undefined) return originOf(address);
  return body === "" ? [] : [getHash(body), ...originsIn(body, QUOTED_ADDRESS)];
}

function getSources(headHtml: string, css: string, js: string): PolicySources {
  const scripts = [...headHtml.matchAll(SCRIPT)].flatMap(([, attributes = "", body = ""]) =>
    scriptSources(attributes, body),
  );
  const everywhere = [...originsIn(headHtml, ANY_ADDRESS), ...originsIn(js, ANY_ADDRESS)];
  const styles = [
    ...originsIn(headHtml, STYLE_LINK),
    ...originsIn(headHtml, STYLE_ADDRESS),
    ...originsIn(css, STYLE_ADDRESS),
  ];
  return {
    "script-src": [...scripts, ...originsIn(js, QUOTED_ADDRESS)],
    "style-src": styles,
    "font-src": [...styles, ...everywhere],
    "img-src": [...styles, ...everywhere],
    "connect-src": everywhere,
    "media-src": everywhere,
    "frame-src": everywhere,
  };
}

function build(options: OptionsInForce): CustomCode | undefined {
  const headHtml = withPlainLineEnds(options.text("custom_head_html")).trim();
  const css = options.text("global_css").trim();
  const js = options.text("global_js").trim();
  if (headHtml === "" && css === "" && js === "") return undefined;
  const parts = [
    headHtml,
    css === "" ? "" : `<link rel="stylesheet" href="${CSS_PATH}">`,
    js === "" ? "" : `<script src="${JS_PATH}" defer></script>`,
  ];
  return { headHtml: parts.filter((part) => part !== "").join("\n"), sources: getSources(headHtml, css, js) };
}

const known = new WeakMap<OptionsInForce, { readonly code: CustomCode | undefined }>();

/**
 * Root's own code by the options in force, undefined when there is none. Inline scripts are let in by their hash and loaded ones by
 * their origin, so that nothing that others wrote into a page runs. Worked out once for each snapshot of the options.
 */
export function getCustomCode(options: OptionsInForce): CustomCode | undefined {
  const held = known.get(options);
  if (held) return held.code;
  const code = build(options);
  known.set(options, { code });
  return code;
}
