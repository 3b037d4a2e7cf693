import type { PricingDetails, TierPricing } from "@turnpike/contract/api/prices/pricing";
import { TOKEN_KINDS } from "@turnpike/contract/pricing/rules/price-rule";
import { text } from "../../lib/text/i18n-source.ts";
import { KIND_LABELS } from "./token-kinds.ts";

/** A price rule as the server sends it. */
export type RuleFields = Readonly<Record<string, unknown>>;

/** One amount of a rule: which field of which tier and prompt length. `unit` is a factor for regions, dollars otherwise. */
export type RuleAmount = {
  readonly tier: string;
  readonly above: number;
  /** A key of FIELD_LABELS; `variant` is the kind of image or the region. */
  readonly field: string;
  readonly variant: string;
  readonly unit: "dollars" | "factor";
  readonly value: number;
};

/** What the fields of a rule are called. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  ...KIND_LABELS,
  per_call: text("每次调用"),
  per_image: text("每张图片"),
  per_second: text("每秒音频"),
  per_character: text("每个字符"),
  per_page: text("每页"),
  per_search: text("每次搜索"),
  per_map_query: text("每次地图查询"),
  regions: text("地区系数"),
};

const PIECES = ["per_call", "per_second", "per_character", "per_page", "per_search", "per_map_query"] as const;

const toFields = (value: unknown): RuleFields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as RuleFields) : {};

/** A rule of its JSON text; null for none and for anything else. */
export function readRule(json: string | null): RuleFields | null {
  if (json === null) return null;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as RuleFields) : null;
  } catch {
    return null;
  }
}

const toNumbers = (value: unknown): readonly (readonly [string, number])[] =>
  Object.entries(toFields(value)).flatMap(([name, amount]): (readonly [string, number])[] =>
    typeof amount === "number" ? [[name, amount]] : [],
  );

const toBands = (value: unknown): readonly RuleFields[] => (Array.isArray(value) ? value.map(toFields) : []);

function ratesOf(fields: RuleFields, tier: string, above: number): readonly RuleAmount[] {
  return TOKEN_KINDS.flatMap((field): RuleAmount[] => {
    const value = fields[field];
    return typeof value === "number" ? [{ tier, above, field, variant: "", unit: "dollars", value }] : [];
  });
}

const tierAmounts = (fields: RuleFields, tier: string): readonly RuleAmount[] => [
  ...ratesOf(fields, tier, 0),
  ...toBands(fields["bands"]).flatMap((band) => ratesOf(band, tier, Number(band["above"]))),
];

/** All amounts of a rule: the standard prices, their bands, the tiers with theirs, what is priced by the piece, and regions. */
export function listAmounts(rule: RuleFields): readonly RuleAmount[] {
  const plain = { tier: "", above: 0 };
  const pieces = PIECES.flatMap((field): RuleAmount[] => {
    const value = rule[field];
    return typeof value === "number" ? [{ ...plain, field, variant: "", unit: "dollars", value }] : [];
  });
  const { per_image: image } = rule;
  const images: readonly (readonly [string, number])[] = typeof image === "number" ? [["", image]] : toNumbers(image);
  return [
    ...tierAmounts(rule, ""),
    ...Object.entries(toFields(rule["tiers"])).flatMap(([tier, fields]) => tierAmounts(toFields(fields), tier)),
    ...pieces,
    ...images.map(([variant, value]): RuleAmount => ({
      ...plain,
      field: "per_image",
      variant,
      unit: "dollars",
      value,
    })),
    ...toNumbers(rule["regions"]).map(([variant, value]): RuleAmount => ({
      ...plain,
      field: "regions",
      variant,
      unit: "factor",
      value,
    })),
  ];
}

/** An amount that two rules do not share; undefined where one of them has none. */
export type RuleChange = Omit<RuleAmount, "value"> & {
  readonly before: number | undefined;
  readonly after: number | undefined;
};

const toKey = ({ tier, above, field, variant }: RuleAmount): string => JSON.stringify([tier, above, field, variant]);

/** What differs between two rules, in the order of the later one; what only the earlier one has comes last. */
export function listRuleChanges(before: RuleFields, after: RuleFields): readonly RuleChange[] {
  const byKey = (rule: RuleFields) => new Map(listAmounts(rule).map((one) => [toKey(one), one] as const));
  const [former, next] = [byKey(before), byKey(after)];
  return [...new Set([...next.keys(), ...former.keys()])].flatMap((key): RuleChange[] => {
    const [old, now] = [former.get(key), next.get(key)];
    const place = now ?? old;
    if (!place || old?.value === now?.value) return [];
    const { value: _value, ...rest } = place;
    return [{ ...rest, before: old?.value, after: now?.value }];
  });
}

const NO_FACTS: PricingDetails["facts"] = {};

/** A rule as the price list shows it. */
export function toRuleDetails(rule: RuleFields): PricingDetails {
  const rows = new Map<string, TierPricing>();
  const pieces: Record<string, number> = {};
  const regions: Record<string, number> = {};
  for (const { tier, above, field, variant, value } of listAmounts(rule)) {
    if (field === "regions") regions[variant] = value;
    else if (field.startsWith("per_")) pieces[[field, variant].filter((part) => part !== "").join(" ")] = value;
    else {
      const key = `${tier} ${above}`;
      const row = rows.get(key) ?? { tier, above, rates: {} };
      rows.set(key, { ...row, rates: { ...row.rates, [field]: value } });
    }
  }
  return { prices: [...rows.values()], pieces, regions, facts: NO_FACTS };
}
