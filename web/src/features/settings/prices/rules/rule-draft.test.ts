import { findRuleProblem, type PriceRule } from "@turnpike/contract/pricing/rules/price-rule";
import { expect, it } from "vitest";
import { NEW_BAND, NEW_IMAGE, NEW_REGION, NEW_TIER, type RuleDraft, toDraft, toRule } from "./rule-draft.ts";
import { RuleForm } from "./rule-form.ts";

const RULE: PriceRule = {
  input: 2,
  output: 10,
  cache_write_1h: 4,
  audio_input: 20,
  reasoning: 12,
  bands: [{ above: 200_000, input: 4, audio_input: 40 }],
  tiers: { flex: { input: 1, video_input: 3, bands: [{ above: 5, input: 2, image_output: 30 }] } },
  per_search: 0.01,
  per_map_query: 0.02,
  per_image: { "high/1024x1024": 0.17, "*": 0.04 },
  regions: { eu: 1.1 },
};

it("keeps every field of a rule", () => {
  expect(toRule(toDraft(RULE))).toEqual(RULE);
  const flat: PriceRule = { per_image: 0.04 };
  expect(toRule(toDraft(flat))).toEqual(flat);
  expect(toRule(toDraft({ per_call: 0 }))).toEqual({ per_call: 0 });
});

it("leaves empty fields out, and the contract names the place of what is missing or wrong", () => {
  const draft = toDraft({ input: 2 });
  expect(toRule(draft)).toEqual({ input: 2 });
  expect(findRuleProblem(toRule({ ...draft, bands: [NEW_BAND] }))?.path).toBe(".bands[0].above");
  const falling = [200, 100].map((above) => ({ ...NEW_BAND, above }));
  expect(findRuleProblem(toRule({ ...draft, bands: falling }))?.path).toBe(".bands[1].above");
  expect(findRuleProblem(toRule({ ...draft, tiers: [NEW_TIER] }))?.path).toContain(".tiers");
  const negative = { ...draft, rates: { ...draft.rates, output: -1 } };
  expect(findRuleProblem(toRule(negative))?.path).toBe(".output");
});

const draft = toDraft({ input: 2 });
const negative = { ...draft.rates, output: -1, reasoning: 3 };
const flex = { ...NEW_TIER, name: "flex" };
const band = { ...NEW_BAND, above: 5 };

it.each<[place: string | undefined, changes: Partial<RuleDraft>]>([
  [undefined, {}],
  ["rates.output", { rates: negative }],
  ["rates.video_output", { rates: { ...draft.rates, video_output: -1 } }],
  ["rates.input", { rates: NEW_BAND.rates }],
  ["bands.1.above", { bands: [band, { ...band, above: 4 }] }],
  ["bands.0.rates.output", { bands: [{ ...band, rates: negative }] }],
  ["tiers.1.name", { tiers: [flex, { ...NEW_TIER, name: "A b" }] }],
  ["tiers.0.name", { tiers: [NEW_TIER] }],
  ["tiers.1.name", { tiers: [flex, flex] }],
  ["tiers.0.rates.output", { tiers: [{ ...flex, rates: negative }] }],
  ["tiers.0.bands.0.above", { tiers: [{ ...flex, bands: [NEW_BAND] }] }],
  ["tiers.0.bands.1.rates.output", { tiers: [{ ...flex, bands: [band, { above: 9, rates: negative }] }] }],
  ["pieces.per_page", { pieces: { ...draft.pieces, per_page: -1 } }],
  ["images.0.dollars", { images: [NEW_IMAGE] }],
  ["images.0.dollars", { images: [{ kind: "high", dollars: -1 }] }],
  [
    "images.1.dollars",
    {
      images: [
        { kind: "high", dollars: 1 },
        { kind: "low", dollars: Number.NaN },
      ],
    },
  ],
  [
    "images.1.kind",
    {
      images: [
        { kind: "high", dollars: 1 },
        { kind: "", dollars: 1 },
      ],
    },
  ],
  [
    "images.1.kind",
    {
      images: [
        { kind: "high", dollars: 1 },
        { kind: "high", dollars: 1 },
      ],
    },
  ],
  ["regions.0.factor", { regions: [{ ...NEW_REGION, name: "eu" }] }],
  ["regions.0.factor", { regions: [{ name: "eu", factor: 0 }] }],
  ["regions.0.name", { regions: [{ name: "", factor: 1.1 }] }],
  [
    "regions.1.name",
    {
      regions: [
        { name: "eu", factor: 1 },
        { name: "eu", factor: 2 },
      ],
    },
  ],
])("shows a problem at %s, the field that holds it", (place, changes) => {
  expect(RuleForm.safeParse({ ...draft, ...changes }).error?.issues[0]?.path.join(".")).toBe(place);
});
