import type { ReportDifference, ReportReason } from "@turnpike/contract/api/channels/provider-report";
import type { ReportLine } from "@turnpike/proto/channel/v1/channel_report_service";
import {
  foldCells,
  type ModelPair,
  pairModels,
  type ReportedModel,
  type ReportShape,
  readReport,
} from "./report-usage.ts";
import { type ModelCells, NANO, type OwnUsage, PIECES, toCellKey } from "./own-usage.ts";

/** The catalogue's price of a token in nanodollars; undefined for an unknown one. */
export type FindRate = (model: string, kind: string, tier: string) => number | undefined;

/** The kinds of a prompt's text: the same tokens are one or the other by what the cache did. */
const PROMPT_KINDS: ReadonlySet<string> = new Set(["input", "cache_read", "cache_write", "cache_write_1h"]);

/** Half a cent: what rounding to cents changes a line by. */
const ROUNDING = NANO / 200;
/** Below a ten-millionth of a dollar: noise of the comparison itself. */
const NOISE = 100;

/** More (or, below 0, fewer) tokens in the report than in the log. */
type Excess = { readonly kind: string; readonly tier: string; tokens: number };

/** The comparison of one model: what is explained so far, and what the bill should be by kind after it. */
type Work = {
  readonly model: string;
  readonly found: ReportDifference[];
  readonly rate: (kind: string, tier: string) => number | undefined;
  readonly expected: Map<string, number>;
};

function expect({ expected }: Work, kind: string, cost: number | undefined): void {
  if (cost !== undefined) expected.set(kind, (expected.get(kind) ?? 0) + cost);
}

type Found = Partial<ReportDifference> & Pick<ReportDifference, "kind" | "tokens" | "cost">;

function addDifference(work: Work, reason: ReportReason, difference: Found): void {
  work.found.push({ reason, model: work.model, counted_as: "", tier: "", ...difference });
}

/** Takes up to `count` from the excesses in turn. */
function* takeFrom(excesses: readonly Excess[], sign: 1 | -1): Generator<Excess> {
  for (const excess of excesses) if (Math.sign(excess.tokens) === sign) yield excess;
}

/** Pairs tokens that the report lacks in one place with those that it has too many of in another. */
function move(excesses: readonly Excess[], record: (from: Excess, to: Excess, tokens: number) => void): void {
  for (const to of takeFrom(excesses, 1))
    for (const from of takeFrom(excesses, -1)) {
      const tokens = Math.min(to.tokens, -from.tokens);
      if (tokens <= 0) continue;
      to.tokens -= tokens;
      from.tokens += tokens;
      record(from, to, tokens);
    }
}

/** Explains moved tokens by the price of where the provider counts them instead of where the log does. */
const explainMove =
  (work: Work, reason: "tier" | "cache") =>
  (from: Excess, to: Excess, tokens: number): void => {
    const [old, next] = [work.rate(from.kind, from.tier), work.rate(to.kind, to.tier)];
    const isKnown = old !== undefined && next !== undefined;
    const [lost, gained] = isKnown ? [Math.round(tokens * old), Math.round(tokens * next)] : [0, 0];
    expect(work, from.kind, -lost);
    expect(work, to.kind, gained);
    const counted = reason === "tier" ? from.tier || "standard" : from.kind;
    addDifference(work, reason, {
      kind: to.kind,
      tier: to.tier,
      counted_as: counted,
      tokens,
      cost: isKnown ? gained - lost : null,
    });
  };

function getExcesses(own: ModelCells, reported: ReportedModel): Excess[] {
  const keys = new Set([...own.keys(), ...reported.tokens.keys()]);
  return [...keys].flatMap((key): Excess[] => {
    const cell = own.get(key) ?? reported.tokens.get(key);
    if (!cell || cell.kind === PIECES) return [];
    const tokens = (reported.tokens.get(key)?.tokens ?? 0) - (own.get(key)?.tokens ?? 0);
    return [{ kind: cell.kind, tier: cell.tier, tokens }];
  });
}

/** Explains the tokens: at other tiers, as another kind of prompt, then those that one side lacks. */
function explainTokens(work: Work, own: ModelCells, reported: ReportedModel): void {
  const excesses = getExcesses(own, reported);
  for (const kind of new Set(excesses.map((one) => one.kind)))
    move(
      excesses.filter((one) => one.kind === kind),
      explainMove(work, "tier"),
    );
  move(
    excesses.filter(({ kind }) => PROMPT_KINDS.has(kind)),
    explainMove(work, "cache"),
  );
  for (const { kind, tier, tokens } of excesses) {
    if (tokens === 0) continue;
    const rate = work.rate(kind, tier);
    const cost = rate === undefined ? null : Math.round(tokens * rate);
    expect(work, kind, cost ?? undefined);
    addDifference(work, tokens > 0 ? "unseen" : "unreported", { kind, tier, tokens, cost });
  }
}

function getCostReason(cost: number, { lines, billed }: { lines: number; billed: number }): ReportReason {
  if (Math.abs(cost) <= ROUNDING * lines) return "rounding";
  if (billed === 0) return "unreported";
  return cost === billed ? "unseen" : "price";
}

/** Explains what is left of the costs: the bill's rounding, or another price. */
function explainCosts(work: Work, { costs }: ReportedModel): void {
  // A bill whose lines do not name their kind of tokens is compared by its total.
  const isWhole = costs.has("") || [...work.expected.keys()].some((kind) => !costs.has(kind) && kind === PIECES);
  const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
  const kinds = isWhole ? [""] : [...new Set([...costs.keys(), ...work.expected.keys()])];
  for (const kind of kinds) {
    const lines = isWhole ? sum([...costs.values()].map((one) => one.lines)) : (costs.get(kind)?.lines ?? 1);
    const billed = isWhole ? sum([...costs.values()].map((one) => one.cost)) : (costs.get(kind)?.cost ?? 0);
    const cost = billed - (isWhole ? sum(work.expected.values()) : (work.expected.get(kind) ?? 0));
    if (Math.abs(cost) > NOISE) addDifference(work, getCostReason(cost, { lines, billed }), { kind, tokens: 0, cost });
  }
}

/** A model that only the report has: all of it is unseen, at what the bill states. */
function explainUnseen(work: Work, { tokens, costs }: ReportedModel): void {
  const kinds = new Set([...[...tokens.values()].map(({ kind }) => kind), ...costs.keys()]);
  for (const kind of kinds) {
    const cells = [...tokens.values()].filter((cell) => cell.kind === kind);
    const rates = cells.map((cell) => [cell.tokens, work.rate(kind, cell.tier)] as const);
    const isKnown = rates.every(([, rate]) => rate !== undefined);
    const listed = isKnown ? Math.round(rates.reduce((sum, [count, rate = 0]) => sum + count * rate, 0)) : null;
    const billed = costs.size === 0 ? listed : (costs.get(kind)?.cost ?? 0);
    const count = cells.reduce((sum, cell) => sum + cell.tokens, 0);
    if (count !== 0 || billed !== 0)
      addDifference(work, "unseen", { kind, tier: cells[0]?.tier ?? "", tokens: count, cost: billed });
  }
}

/** The price of a token: what the log's calls cost on average, else the catalogue's. */
function createRates(model: string, own: ModelCells, find: FindRate): Work["rate"] {
  return (kind, tier) => {
    const cell = own.get(toCellKey(tier, kind));
    if (cell && cell.tokens > 0) return cell.cost === undefined ? undefined : cell.cost / cell.tokens;
    return find(model, kind, tier);
  };
}

function comparePair({ model, own, reported }: ModelPair, shape: ReportShape, find: FindRate): ReportDifference[] {
  const cells = foldCells(own, shape);
  const work: Work = { model, found: [], rate: createRates(model, cells, find), expected: new Map() };
  if (own.length === 0 && reported) {
    explainUnseen(work, reported);
    return work.found;
  }
  for (const { kind, cost } of cells.values()) expect(work, kind, cost);
  if (!reported) {
    for (const { kind, tier, tokens, cost } of cells.values())
      addDifference(work, "unreported", { kind, tier, tokens: -tokens, cost: cost === undefined ? null : -cost });
    return work.found;
  }
  if (reported.tokens.size > 0) explainTokens(work, cells, reported);
  const isPriced =
    [...cells.values()].every(({ cost }) => cost !== undefined) && work.found.every(({ cost }) => cost !== null);
  if (reported.costs.size > 0 && isPriced) explainCosts(work, reported);
  return work.found;
}

/** A provider's report of a day. */
export type ProviderReport = ReportShape & { readonly lines: readonly ReportLine[] };

/**
 * What the report and the log differ in, the most expensive difference first. Where every price is known, the costs of all differences
 * add up to the bill minus the cost of the log's calls at the catalogue's prices.
 */
export function compareReport(own: OwnUsage, report: ProviderReport, find: FindRate): ReportDifference[] {
  const { models, rest } = readReport(report.lines);
  const pairs = pairModels(own.models, models);
  const unnamed = [...rest].filter(([, cost]) => cost !== 0);
  return [
    ...pairs.flatMap((pair) => comparePair(pair, report, find)),
    ...unnamed.map(([kind, cost]): ReportDifference => ({
      reason: "unseen",
      model: "",
      kind,
      counted_as: "",
      tier: "",
      tokens: 0,
      cost,
    })),
  ].toSorted((a, b) => Math.abs(b.cost ?? 0) - Math.abs(a.cost ?? 0));
}
