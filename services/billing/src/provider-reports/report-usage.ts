import type { ReportLine } from "@turnpike/proto/channel/v1/channel_report_service";
import { type ModelCells, type OwnUsage, toCellKey, type UsageCell } from "./own-usage.ts";

/** Costs of one kind of token in a report: their sum in nanodollars, and the number of lines, each of which may be rounded. */
export type ReportedCost = { cost: number; lines: number };

/** What a report has of one model: tokens by tier and kind, and costs by kind ("" where the bill does not name the kind). */
export type ReportedModel = {
  readonly tokens: Map<string, { readonly kind: string; readonly tier: string; tokens: number }>;
  readonly costs: Map<string, ReportedCost>;
};

/** What a report distinguishes. */
export type ReportShape = { readonly kinds: readonly string[]; readonly hasTiers: boolean };

/** The next more general kind of each kind of token. */
const PARENTS: Readonly<Record<string, string>> = {
  audio_cache_read: "cache_read",
  image_cache_read: "cache_read",
  cache_write_1h: "cache_write",
  cache_write: "input",
  cache_read: "input",
  audio_input: "input",
  image_input: "input",
  video_input: "input",
  audio_output: "output",
  image_output: "output",
  video_output: "output",
  reasoning: "output",
};

/** The kind under which a report counts these tokens. */
export function foldKind(kind: string, kinds: readonly string[]): string {
  let folded = kind;
  while (!kinds.includes(folded)) {
    const parent = PARENTS[folded];
    if (parent === undefined) return folded;
    folded = parent;
  }
  return folded;
}

/** The log's cells of a model, by what the report distinguishes. */
export function foldCells(cells: Iterable<UsageCell>, { kinds, hasTiers }: ReportShape): ModelCells {
  const folded: ModelCells = new Map();
  for (const cell of cells) {
    const [tier, kind] = [hasTiers ? cell.tier : "", foldKind(cell.kind, kinds)];
    const key = toCellKey(tier, kind);
    const sum = folded.get(key) ?? { kind, tier, tokens: 0, cost: 0 };
    folded.set(key, sum);
    sum.tokens += cell.tokens;
    sum.cost = sum.cost === undefined || cell.cost === undefined ? undefined : sum.cost + cell.cost;
  }
  return folded;
}

export const newReportedModel = (): ReportedModel => ({ tokens: new Map(), costs: new Map() });

const REQUESTS = "requests";

/** The lines of a report by model; those that name neither a model nor a kind are returned apart. */
export function readReport(lines: readonly ReportLine[]) {
  const models = new Map<string, ReportedModel>();
  const rest = new Map<string, number>();
  for (const { model, kind, tier, tokens, isCost, costNanodollars, label } of lines) {
    if (kind === REQUESTS) continue;
    if (model === "" && kind === "") {
      rest.set(label, (rest.get(label) ?? 0) + costNanodollars);
      continue;
    }
    const found = models.get(model) ?? newReportedModel();
    models.set(model, found);
    if (isCost) {
      const sum = found.costs.get(kind) ?? { cost: 0, lines: 0 };
      found.costs.set(kind, sum);
      sum.cost += costNanodollars;
      sum.lines++;
    } else {
      const key = toCellKey(tier, kind);
      const sum = found.tokens.get(key) ?? { kind, tier, tokens: 0 };
      found.tokens.set(key, sum);
      sum.tokens += tokens;
    }
  }
  return { models, rest };
}

/** Adds one model of a report to another. */
export function mergeReported(into: ReportedModel, from: ReportedModel): void {
  for (const [key, { tokens, ...cell }] of from.tokens) {
    const sum = into.tokens.get(key) ?? { ...cell, tokens: 0 };
    into.tokens.set(key, sum);
    sum.tokens += tokens;
  }
  for (const [kind, { cost, lines }] of from.costs) {
    const sum = into.costs.get(kind) ?? { cost: 0, lines: 0 };
    into.costs.set(kind, sum);
    sum.cost += cost;
    sum.lines += lines;
  }
}

/** A model of the log and the same one of the report; either may be missing. */
export type ModelPair = {
  readonly model: string;
  readonly own: readonly UsageCell[];
  readonly reported: ReportedModel | undefined;
};

const SNAPSHOT = /[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest)$/;
const EFFORT = /-(thinking|nothinking|minimal|low|medium|high|xhigh|max)$/;

const toBase = (name: string): string => name.toLowerCase().replace(SNAPSHOT, "");

/** The name that a model of the log and of the report share: without a snapshot's date, and without an effort if the report knows none. */
function createBaseNames(reported: Iterable<string>): (name: string) => string {
  const known = new Set([...reported].map(toBase));
  return (name) => {
    const base = toBase(name);
    const plain = toBase(base.replace(EFFORT, ""));
    return !known.has(base) && known.has(plain) ? plain : base;
  };
}

/**
 * Pairs the models of the log with those of the report. A name that both have is one pair; an alias in the log (`gpt-4o`) is paired
 * with the snapshots that the provider resolves it to.
 */
export function pairModels(own: OwnUsage["models"], reported: ReadonlyMap<string, ReportedModel>): ModelPair[] {
  const getBase = createBaseNames(reported.keys());
  const bases = new Set([...own.keys(), ...reported.keys()].map(getBase));
  return [...bases].flatMap((base): ModelPair[] => {
    const ours = [...own.keys()].filter((name) => getBase(name) === base);
    const theirs = [...reported.keys()].filter((name) => getBase(name) === base);
    const exact = ours.filter((name) => reported.has(name));
    const [aliases, others] = [ours.filter((name) => !reported.has(name)), theirs.filter((name) => !own.has(name))];
    const pair = (model: string, names: readonly string[], found: readonly string[]): ModelPair => {
      const parts = found.flatMap((name) => reported.get(name) ?? []);
      const merged = parts.length === 0 ? undefined : newReportedModel();
      if (merged) for (const part of parts) mergeReported(merged, part);
      return { model, own: names.flatMap((name) => [...(own.get(name)?.values() ?? [])]), reported: merged };
    };
    // An alias may be counted under a snapshot that the log names, too.
    if (aliases.length > 0 && others.length === 0 && exact.length > 0) return [pair(base, ours, theirs)];
    return [
      ...exact.map((name) => pair(name, [name], [name])),
      ...(aliases.length > 0
        ? [pair(aliases[0] ?? base, aliases, others)]
        : others.map((name) => pair(name, [], [name]))),
    ];
  });
}
