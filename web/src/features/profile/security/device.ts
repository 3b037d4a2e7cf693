// The first match counts: nearly all browsers call themselves Safari, most of them Chrome.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bcurl\//, "curl"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const find = (names: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

const LENGTH_MAX = 40;

/** Browser and system of a user agent; its beginning when both are unknown. */
export function describeDevice(userAgent: string): string {
  const known = [find(BROWSERS, userAgent), find(SYSTEMS, userAgent)].filter((name) => name !== undefined);
  return known.length === 0 ? userAgent.slice(0, LENGTH_MAX) : known.join(" · ");
}
