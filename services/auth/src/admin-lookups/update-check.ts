import type { CheckForUpdateResponse } from "@turnpike/proto/auth/v1/site_service";
import { z } from "zod";
import type { OptionReader } from "../options/option-reader.ts";
import { FetchFailure, type FetchJson } from "./json-document.ts";

/** A code host's release response. */
const Release = z.object({
  tag_name: z.string().min(1).max(100),
  html_url: z.string().max(2_000).optional(),
  published_at: z.string().max(100).nullish(),
});

const parseVersion = (version: string): number[] =>
  (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? "0").split(".").map((part) => Number(part));
const isPreRelease = (version: string): boolean => /^v?\d+(\.\d+)*-/.test(version.trim());

/** Whether a version is newer than another, by its numbers; of equal ones the final release follows the pre-release. */
export function isNewer(latest: string, current: string): boolean {
  const [a, b] = [parseVersion(latest), parseVersion(current)];
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return isPreRelease(current) && !isPreRelease(latest);
}

const nothing = (problem: string): CheckForUpdateResponse => ({
  latestVersion: "",
  isNewer: false,
  url: "",
  publishedAt: "",
  problem,
});
const isWebAddress = (text: string | undefined): text is string => text !== undefined && /^https?:\/\//.test(text);

/** Requests the latest release. It never throws for external failures: the result contains the problem. */
export const createUpdateCheck =
  (deps: { options: OptionReader; fetchJson: FetchJson }) =>
  async (currentVersion: string): Promise<CheckForUpdateResponse> => {
    const address = (await deps.options.inForce()).text("UpdateCheckAddress");
    if (address === "") return nothing("not_configured");
    let document: unknown;
    try {
      document = await deps.fetchJson(address);
    } catch (error) {
      return nothing(error instanceof FetchFailure ? error.kind : "unreachable");
    }
    const result = Release.safeParse(document);
    if (!result.success) return nothing("unreadable");
    const { tag_name: latestVersion, html_url: url, published_at: publishedAt } = result.data;
    return {
      latestVersion,
      isNewer: isNewer(latestVersion, currentVersion),
      url: isWebAddress(url) ? url : "",
      publishedAt: publishedAt ?? "",
      problem: "",
    };
  };
