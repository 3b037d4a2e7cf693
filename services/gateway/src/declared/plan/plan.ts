import { randomBytes } from "node:crypto";
import type { DeclaredDrift, DeclaredObject } from "@turnpike/contract/api/declared";
import type { Configuration } from "../configuration.ts";
import type { Console } from "../console.ts";
import { planChannels } from "./plan-channels.ts";
import { planOptions, planPrices } from "./plan-options.ts";
import { planTokens } from "./plan-tokens.ts";
import { planUsers } from "./plan-users.ts";
import { planRemovals } from "./prune.ts";
import { readReport, readSite } from "../site.ts";
import { indexObjects, type Planning, type Step, toKey } from "./step.ts";

/** What an apply would do. */
export type Plan = {
  readonly steps: readonly Step[];
  readonly drifts: readonly DeclaredDrift[];
  /** The objects of the last apply. */
  readonly before: readonly DeclaredObject[];
  /** Objects that are as declared before the steps run. */
  readonly unchanged: readonly DeclaredObject[];
  /** Objects of an earlier apply that no file declares now; they stay without prune. */
  readonly former: readonly DeclaredObject[];
  readonly salt: string;
  /** Unix seconds of the last complete apply. */
  readonly appliedAt: number;
};

const SALT_BYTES = 16;

function getDeclaredKeys({ options, prices, groups, channels, users }: Configuration): Set<string> {
  const priceNames = [...prices].flatMap(([key, declared]) =>
    "entries" in declared ? Object.keys(declared.entries).map((entry) => `price/${key}/${entry}`) : [`price/${key}`],
  );
  return new Set([
    ...[...options.keys()].map((key) => `option/${key}`),
    ...priceNames,
    ...[...groups.keys()].map((name) => `group/${name}`),
    ...channels.map(({ label }) => `channel/${label}`),
    ...users.map(({ username }) => `user/${username}`),
    ...users.flatMap(({ tokens }) => tokens.map(({ label }) => `token/${label}`)),
  ]);
}

/** Names of users whose tokens are compared: the declared ones, and the owners of tokens that were declared. */
function getUserNames({ users }: Configuration, before: Iterable<DeclaredObject>): string[] {
  const owners = [...before].flatMap(({ kind, name }) => (kind === "token" ? [name.split("/")[0] ?? ""] : []));
  return [...new Set([...users.map(({ username }) => username), ...owners])];
}

/** Compares the site with the configuration; changes nothing. */
export async function createPlan(
  console: Console,
  configuration: Configuration,
  { prune }: { readonly prune: boolean },
): Promise<Plan> {
  const report = await readReport(console);
  const before = indexObjects(report);
  const site = await readSite(console, getUserNames(configuration, before.values()));
  const salt =
    report?.salt === undefined || report.salt === "" ? randomBytes(SALT_BYTES).toString("base64url") : report.salt;
  const planning: Planning = { console, configuration, site, salt, before };
  const ids = new Map<string, number>();
  // Groups come first, because channels, users and tokens name them; users before their tokens.
  const parts = [
    planPrices(planning),
    planOptions(planning),
    planChannels(planning),
    planUsers(planning, ids),
    planTokens(planning, ids),
  ];
  const declared = getDeclaredKeys(configuration);
  const former = [...before.values()].filter((object) => !declared.has(toKey(object)));
  const steps = [...parts.flatMap((part) => part.steps), ...(prune ? planRemovals(planning, former) : [])];
  return {
    steps,
    drifts: steps.flatMap(({ changes }) => changes),
    before: [...before.values()],
    unchanged: parts.flatMap(({ objects }) => objects),
    former,
    salt,
    appliedAt: report?.applied_at ?? 0,
  };
}
