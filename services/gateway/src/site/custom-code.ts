import { createHash } from "node:crypto";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { PolicySources } from "../http/security/content-security-policy.ts";

/** What the root user adds to every page: markup for its head, and the sources that the policy must allow for it. */
export type CustomCode = { readonly headHtml: string; readonly sources: PolicySources };

export const CSS_PATH = "/custom/global.css";
export const JS_PATH = "/custom/global.js";

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const SOURCE_ATTRIBUTE = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;
const STYLE_LINK = /<link\b[^>]*\bhref\s*=\s*["']?(https?:\/\/[^"'\s>]+)[^>]*>/gi;
const STYLE_ADDRESS = /(?:url\(|@import)\s*["']?(https?:\/\/[^"')\s;]+)/gi;
const QUOTED_ADDRESS = /["'`](?:https?:)?(\/\/[a-z0-9.-]+(?::\d+)?)/gi;
const ANY_ADDRESS = /https?:\/\/[a-z0-9.-]+(?::\d+)?/gi;

/** Browsers normalise line ends to LF before they hash a script. */
const withPlainLineEnds = (text: string): string => text.replace(/\r\n?/g, "\n");

/** The origin of an address as a policy names it; an address without a scheme is read as https. */
function getOrigin(address: string): string[] {
  const full = address.startsWith("//") ? `https:${address}` : address;
  return URL.canParse(full) && /^https?:/.test(full) ? [new URL(full).origin] : [];
}

const originsIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap((match) => getOrigin(match[1] ?? match[0]));

const getHash = (script: string): string => `'sha256-${createHash("sha256").update(script, "utf8").digest("base64")}'`;

/**
 * The sources that one script needs: its origin, or its hash and the origins in its string literals, since it may load
 * more from there.
 */
function scriptSources(attributes: string, body: string): string[] {
  const [, double, single, bare] = SOURCE_ATTRIBUTE.exec(attributes) ?? [];
  const address = double ?? single ?? bare;
  if (address !== undefined) return getOrigin(address);
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
 * The root user's custom code by the options in force, undefined when there is none. Inline scripts are allowed by
 * their hash and loaded ones by their origin, so that no other injected script runs. Computed once per snapshot of the
 * options.
 */
export function getCustomCode(options: OptionsInForce): CustomCode | undefined {
  const held = known.get(options);
  if (held) return held.code;
  const code = build(options);
  known.set(options, { code });
  return code;
}
