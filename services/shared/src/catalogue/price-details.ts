import { type PriceBand, type PriceRule, TOKEN_KINDS } from "@turnpike/contract/pricing/rules/price-rule";
import { compactRates, completeRates, fillRates, type FullRates } from "@turnpike/contract/pricing/rules/rule-rates";
import { isRecord, type Json, readAmount, unreadable, withoutUndefined } from "./catalogue-json.ts";

type Row = { readonly tier: string; readonly above: number; readonly rates: FullRates };

/** Details leave kinds out that cost what the kind does that they follow; cache writes, where they have no price of their own. */
function readRates(rates: Json, path: string): FullRates {
  const stated = withoutUndefined(Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, readAmount(rates, kind, path)])));
  const { output } = stated;
  return completeRates(output === undefined ? stated : { audio_output: output, ...stated });
}

function readRow(row: unknown, path: string): Row {
  const { tier, above, rates } = isRecord(row) ? row : {};
  if (typeof tier !== "string") throw unreadable(`${path}.tier`, "必须是文本");
  if (!isRecord(rates)) throw unreadable(`${path}.rates`, "必须是对象");
  return { tier, above: readAmount({ above }, "above", path) ?? 0, rates: readRates(rates, `${path}.rates`) };
}

/** The bands of one tier, without what follows the tier's price of short prompts. */
function toBands(rows: readonly Row[], tier: string, base: FullRates): readonly PriceBand[] {
  const fill = (rates: Parameters<typeof fillRates>[0]): FullRates => fillRates(rates, base);
  return rows
    .filter((row) => row.tier === tier && row.above > 0)
    .map(({ above, rates }) => ({ above, ...compactRates(rates, fill) }));
}

function toTiers(rows: readonly Row[], standard: FullRates): NonNullable<PriceRule["tiers"]> {
  const fill = (rates: Parameters<typeof fillRates>[0]): FullRates => fillRates(rates, standard);
  const named = rows.filter(({ tier, above }) => tier !== "" && above === 0);
  return Object.fromEntries(
    named.map(({ tier, rates }) => {
      const bands = toBands(rows, tier, rates);
      return [tier, { ...compactRates(rates, fill), ...(bands.length === 0 ? {} : { bands }) }];
    }),
  );
}

const IMAGE = "image ";

/** Dollars by the piece: of images by kind, of a second, of a page. */
function readPieces(pieces: Json, path: string): PriceRule {
  const read = (field: string): number | undefined => readAmount(pieces, field, path);
  const images = Object.keys(pieces)
    .filter((field) => field.startsWith(IMAGE))
    .map((field) => [field.slice(IMAGE.length), read(field) ?? 0] as const);
  const byKind = images.length === 1 && images[0]?.[0] === "*" ? images[0][1] : Object.fromEntries(images);
  return {
    ...(images.length === 0 ? {} : { per_image: byKind }),
    ...withoutUndefined({ per_second: read("second"), per_page: read("page") }),
  };
}

function readRegions(regions: unknown, path: string): PriceRule {
  if (!isRecord(regions) || Object.keys(regions).length === 0) return {};
  return {
    regions: Object.fromEntries(Object.keys(regions).map((name) => [name, readAmount(regions, name, path) ?? 1])),
  };
}

/**
 * The rule that a Turnpike's price list describes in the details of a row; undefined where they hold no price. Throws
 * catalogue_unreadable.
 */
export function readPriceDetails(details: Json, path: string): PriceRule | undefined {
  const list = Array.isArray(details["prices"]) ? (details["prices"] as unknown[]) : [];
  const rows = list.map((row, index) => readRow(row, `${path}.prices[${index}]`));
  const pieces = isRecord(details["pieces"]) ? readPieces(details["pieces"], `${path}.pieces`) : {};
  const standard = rows.find(({ tier, above }) => tier === "" && above === 0)?.rates;
  // Models by the second or the page have no price for tokens.
  if (!standard || (standard.input === 0 && Object.keys(pieces).length > 0))
    return Object.keys(pieces).length === 0 ? undefined : pieces;
  const [bands, tiers] = [toBands(rows, "", standard), toTiers(rows, standard)];
  return {
    ...compactRates(standard, completeRates),
    ...(bands.length === 0 ? {} : { bands }),
    ...(Object.keys(tiers).length === 0 ? {} : { tiers }),
    ...readRegions(details["regions"], `${path}.regions`),
    ...pieces,
  };
}
