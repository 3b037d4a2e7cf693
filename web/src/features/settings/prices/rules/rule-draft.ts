import type { PriceRule, TokenKind } from "@turnpike/contract/pricing/rules/price-rule";
import { TOKEN_KINDS } from "@turnpike/contract/pricing/rules/price-rule";

/** The prices of one piece, in dollars. */
export const PIECE_KINDS = [
  "per_call",
  "per_second",
  "per_character",
  "per_page",
  "per_search",
  "per_map_query",
] as const;
export type PieceKind = (typeof PIECE_KINDS)[number];

type Fields = Readonly<Record<string, unknown>>;

/** Dollars per million tokens; NaN for an empty field. */
export type DraftRates = Readonly<Record<TokenKind, number>>;
/** The prices above a prompt length. */
export type DraftBand = { readonly above: number; readonly rates: DraftRates };
export type DraftTier = { readonly name: string; readonly rates: DraftRates; readonly bands: readonly DraftBand[] };
/** The price of a kind of image; the kind is empty where one price is for all of them. */
export type DraftImage = { readonly kind: string; readonly dollars: number };
export type DraftRegion = { readonly name: string; readonly factor: number };

/** A price rule in the form. */
export type RuleDraft = {
  readonly rates: DraftRates;
  readonly bands: readonly DraftBand[];
  readonly tiers: readonly DraftTier[];
  readonly pieces: Readonly<Record<PieceKind, number>>;
  readonly images: readonly DraftImage[];
  readonly regions: readonly DraftRegion[];
};

const toNumbers = <Kind extends string>(kinds: readonly Kind[], fields: Fields) =>
  Object.fromEntries(
    kinds.map((kind) => [kind, typeof fields[kind] === "number" ? fields[kind] : Number.NaN]),
  ) as Record<Kind, number>;

const fromNumbers = (numbers: Readonly<Record<string, number>>): Fields =>
  Object.fromEntries(Object.entries(numbers).filter(([, number]) => !Number.isNaN(number)));

const toRates = (fields: Fields): DraftRates => toNumbers(TOKEN_KINDS, fields);
const NO_RATES = toRates({});
export const NEW_BAND: DraftBand = { above: Number.NaN, rates: NO_RATES };
export const NEW_TIER: DraftTier = { name: "", rates: NO_RATES, bands: [] };
export const NEW_IMAGE: DraftImage = { kind: "", dollars: Number.NaN };
export const NEW_REGION: DraftRegion = { name: "", factor: Number.NaN };

const toBands = (bands: PriceRule["bands"] = []): DraftBand[] =>
  bands.map((band) => ({ above: band.above, rates: toRates(band) }));

function toImages(price: PriceRule["per_image"]): DraftImage[] {
  if (price === undefined) return [];
  if (typeof price === "number") return [{ kind: "", dollars: price }];
  return Object.entries(price).map(([kind, dollars]) => ({ kind, dollars }));
}

/** A rule as the form shows it. */
export const toDraft = (rule: PriceRule): RuleDraft => ({
  rates: toRates(rule),
  bands: toBands(rule.bands),
  tiers: Object.entries(rule.tiers ?? {}).map(([name, tier]) => ({
    name,
    rates: toRates(tier),
    bands: toBands(tier.bands),
  })),
  pieces: toNumbers(PIECE_KINDS, rule),
  images: toImages(rule.per_image),
  regions: Object.entries(rule.regions ?? {}).map(([name, factor]) => ({ name, factor })),
});

/** An empty field that the rule must have, which the contract refuses by its place. */
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

const fromBands = (bands: readonly DraftBand[]): Fields =>
  bands.length === 0
    ? {}
    : { bands: bands.map(({ above, rates }) => ({ above: orNull(above), ...fromNumbers(rates) })) };

const fromNamed = (field: string, named: readonly (readonly [name: string, value: unknown])[]): Fields =>
  named.length === 0 ? {} : { [field]: Object.fromEntries(named) };

function fromImages(images: readonly DraftImage[]): Fields {
  const [first] = images;
  if (images.length === 1 && first?.kind.trim() === "") return { per_image: orNull(first.dollars) };
  return fromNamed(
    "per_image",
    images.map(({ kind, dollars }) => [kind.trim(), orNull(dollars)]),
  );
}

/** The rule of a form, unchecked: empty fields that must be set are null, and of two parts with one name the later one counts. */
export const toRule = ({ rates, bands, tiers, pieces, images, regions }: RuleDraft): Fields => ({
  ...fromNumbers(rates),
  ...fromBands(bands),
  ...fromNamed(
    "tiers",
    tiers.map((tier) => [tier.name.trim(), { ...fromNumbers(tier.rates), ...fromBands(tier.bands) }]),
  ),
  ...fromNumbers(pieces),
  ...fromImages(images),
  ...fromNamed(
    "regions",
    regions.map(({ name, factor }) => [name.trim(), orNull(factor)]),
  ),
});
