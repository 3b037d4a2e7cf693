import { chargeLines } from "@turnpike/contract/pricing/charge-lines";
import { divideRounded, toScaled } from "@turnpike/contract/pricing/decimal";
import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/dollars";
import { selectPrice } from "@turnpike/contract/pricing/price-variants";
import { withPieces } from "@turnpike/contract/pricing/quota";
import { STANDARD_TIERS } from "@turnpike/contract/pricing/rules/price-rule";
import { tidy } from "@turnpike/contract/pricing/rules/rule-rates";
import type { ChargedRow, RowCharge } from "../rehearsal/row-charge.ts";
import { readRowCharge } from "../rehearsal/row-charge.ts";
import { computeRowQuota, listIterationCharges, type PriceFinder } from "../rehearsal/row-quota.ts";

/** Tokens of one kind at one tier, and their cost at the catalogue's prices in nanodollars; undefined for an unknown price. */
export type UsageCell = { readonly kind: string; readonly tier: string; tokens: number; cost: number | undefined };

/** What the log has of one model, by tier and kind. */
export type ModelCells = Map<string, UsageCell>;

/** What the log has of a day. Calls of provider tools belong to the model "". */
export type OwnUsage = {
  calls: number;
  estimatedCalls: number;
  readonly models: Map<string, ModelCells>;
};

export const NANO = 1_000_000_000;
/** Tokens × scaled dollars per million are 10⁻¹⁸ dollars. */
const ATTO_PER_NANO = 1_000_000_000n;
const MILLION = 1_000_000;

/** What is priced in dollars by the piece, and has no kind of token. */
export const PIECES = "pieces";

export const toCellKey = (tier: string, kind: string): string => `${tier}\n${kind}`;

function addCell(usage: OwnUsage, model: string, added: UsageCell): void {
  const cells = usage.models.get(model) ?? new Map<string, UsageCell>();
  usage.models.set(model, cells);
  const key = toCellKey(added.tier, added.kind);
  const cell = cells.get(key) ?? { ...added, tokens: 0, cost: 0 };
  cells.set(key, cell);
  cell.tokens += added.tokens;
  cell.cost = cell.cost === undefined || added.cost === undefined ? undefined : cell.cost + added.cost;
}

const getTier = ({ usage: { tier = "" } }: RowCharge): string => (STANDARD_TIERS.has(tier) ? "" : tier);

/** Tokens without a price. */
function addUnpriced(usage: OwnUsage, charge: RowCharge): void {
  const { promptTokens, completionTokens, cacheReadTokens } = charge.usage;
  const kinds = { input: promptTokens - cacheReadTokens, cache_read: cacheReadTokens, output: completionTokens };
  for (const [kind, tokens] of Object.entries(kinds))
    if (tokens > 0) addCell(usage, charge.upstreamModel, { kind, tier: getTier(charge), tokens, cost: undefined });
}

/** A call that is charged by its tokens, line by line. */
function addLines(usage: OwnUsage, charge: RowCharge, price: NonNullable<ReturnType<PriceFinder["find"]>>): void {
  const selected = selectPrice(price, charge.usage);
  const { tokens, dollars } = chargeLines(withPieces(price, selected.price), charge.usage);
  const tier = getTier(charge);
  const region = toScaled(selected.regionRatio);
  for (const { kind, tokens: count, weight } of tokens) {
    const rate = toScaled(tidy(weight * selected.price.base * DOLLARS_PER_MILLION));
    const cost = divideRounded(BigInt(count) * rate * region, ATTO_PER_NANO * toScaled(1));
    addCell(usage, charge.upstreamModel, { kind, tier, tokens: count, cost: Number(cost) });
  }
  for (const { name, count, dollars: each, per } of dollars) {
    const cost = Math.round((count * each * NANO) / per);
    const isTool = charge.usage.toolCalls !== undefined && Object.hasOwn(charge.usage.toolCalls, name);
    if (isTool) addCell(usage, "", { kind: name, tier: "", tokens: count, cost });
    else addCell(usage, charge.upstreamModel, { kind: PIECES, tier: "", tokens: 0, cost });
  }
}

function addPieces(usage: OwnUsage, charge: RowCharge, quota: number | string): void {
  const cost = typeof quota === "number" ? Math.round((quota * NANO) / MILLION) : undefined;
  addCell(usage, charge.upstreamModel, { kind: PIECES, tier: "", tokens: 0, cost });
}

/** Quota units in which pieces are calculated: a millionth of a dollar. */
const PIECE_FACTORS = { groupRatio: 1, quotaPerUnit: MILLION } as const;

/** The usage of a row that does not hold its figures: the plain counts. */
const toPlainCharge = (row: ChargedRow): RowCharge => ({
  model: row.modelName,
  upstreamModel: row.modelName,
  group: row.group,
  usage: {
    promptTokens: row.promptTokens,
    completionTokens: row.completionTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  },
  groupRatio: 1,
  cachedRatio: undefined,
  units: undefined,
  kind: undefined,
  endpoint: undefined,
  isTask: false,
  isEstimated: true,
  acceptsUnset: false,
});

/** Adds rows up as a provider's bill would, at the catalogue's prices. */
export function createOwnUsage(finder: PriceFinder) {
  const usage: OwnUsage = { calls: 0, estimatedCalls: 0, models: new Map() };
  const addCharge = (charge: RowCharge): void => {
    const { iterations: _iterations, ...own } = charge.usage;
    const named = { ...charge, usage: own, groupRatio: 1 };
    const price = finder.find(named);
    if (!price) return addUnpriced(usage, named);
    const isByTokens = price.mode !== "call" && (named.units === undefined || named.usage.completionTokens > 0);
    if (isByTokens) return addLines(usage, named, price);
    addPieces(usage, named, computeRowQuota(named, price, PIECE_FACTORS, finder.find));
  };
  return {
    usage,
    add(row: ChargedRow): void {
      const charge = readRowCharge(row) ?? toPlainCharge(row);
      // A cached response made no call, and tasks are in no report of tokens.
      if (charge.cachedRatio !== undefined || charge.isTask) return;
      usage.calls++;
      if (charge.isEstimated) usage.estimatedCalls++;
      // The provider knows a model by its own name alone.
      for (const each of [charge, ...listIterationCharges(charge)]) addCharge({ ...each, model: each.upstreamModel });
    },
  };
}
