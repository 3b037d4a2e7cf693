import type { Target } from "../contract/target.ts";

const VERSION_DEFAULT = "v1.1";
const VERSION = /^(v\d+(\.\d+)?|pro-128k|max-32k)$/;

const DOMAINS: Readonly<Record<string, string>> = {
  "v1.1": "lite",
  "v2.1": "generalv2",
  "v3.1": "generalv3",
  "v3.5": "generalv3.5",
  "v4.0": "4.0Ultra",
};
/** Versions that are in the URL after `/chat` instead of before it. */
const OWN_PATHS: ReadonlySet<string> = new Set(["pro-128k", "max-32k"]);

/** The version of a call: the caller's, else the suffix of the model's name, else the channel's `other`, else the oldest. */
export function versionFor({ clientHeaders, model, other }: Pick<Target, "clientHeaders" | "model" | "other">): string {
  const suffix = /^[^-]+-(.+)$/.exec(model)?.[1] ?? "";
  const words = [clientHeaders["api-version"] ?? "", suffix, other.trim()];
  return words.find((word) => VERSION.test(word)) ?? VERSION_DEFAULT;
}

/** The URL of a version. */
export const pathFor = (version: string): string => (OWN_PATHS.has(version) ? `/chat/${version}` : `/${version}/chat`);

/** The model name of a version. */
export const getDomain = (version: string): string => DOMAINS[version] ?? version;

/** Function calls and system messages are supported from the third version on. */
export const supportsFunctions = (version: string): boolean => !["v1.1", "v2.1"].includes(version);
