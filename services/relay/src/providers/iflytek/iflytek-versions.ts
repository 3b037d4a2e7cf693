import type { Target } from "../contract/provider.ts";

const VERSION_DEFAULT = "v1.1";
const VERSION = /^(v\d+(\.\d+)?|pro-128k|max-32k)$/;

const DOMAINS: Readonly<Record<string, string>> = {
  "v1.1": "lite",
  "v2.1": "generalv2",
  "v3.1": "generalv3",
  "v3.5": "generalv3.5",
  "v4.0": "4.0Ultra",
};
/** Versions that stand behind `/chat` instead of before it. */
const OWN_PATHS: ReadonlySet<string> = new Set(["pro-128k", "max-32k"]);

/** The version of a call: the caller's, else the suffix of the model's name, else the channel's `other`, else the oldest. */
export function versionFor({ callerHeaders, model, other }: Pick<Target, "callerHeaders" | "model" | "other">): string {
  const suffix = /^[^-]+-(.+)$/.exec(model)?.[1] ?? "";
  const words = [callerHeaders["api-version"] ?? "", suffix, other.trim()];
  return words.find((word) => VERSION.test(word)) ?? VERSION_DEFAULT;
}

/** Where a version is served. */
export const pathFor = (version: string): string => (OWN_PATHS.has(version) ? `/chat/${version}` : `/${version}/chat`);

/** The name of the model behind a version. */
export const domainOf = (version: string): string => DOMAINS[version] ?? version;

/** Function calls and system messages came with the third version. */
export const knowsFunctions = (version: string): boolean => !["v1.1", "v2.1"].includes(version);
