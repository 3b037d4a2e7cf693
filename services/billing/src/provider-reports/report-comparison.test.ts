import type { ReportDifference } from "@turnpike/contract/api/channels/provider-report";
import type { ReportLine } from "@turnpike/proto/channel/v1/channel_report_service";
import { describe, expect, it } from "vitest";
import { type OwnUsage, toCellKey, type UsageCell } from "./own-usage.ts";
import { compareReport, type FindRate } from "./report-comparison.ts";

/** Nanodollars a token: $2, $0.2, $2.5 and $10 per million; priority costs twice as much. */
const RATES: Readonly<Record<string, number>> = { input: 2_000, cache_read: 200, cache_write: 2_500, output: 10_000 };
const findRate: FindRate = (model, kind, tier) =>
  model.startsWith("unpriced") ? undefined : (RATES[kind] ?? 0) * (tier === "priority" ? 2 : 1);

const SHAPE = { kinds: ["input", "cache_read", "cache_write", "output", "web_search"], hasTiers: true };

type Tokens = Readonly<Record<string, number>>;

const cell = (model: string, kind: string, tokens: number, tier = ""): UsageCell => {
  const rate = findRate(model, kind, tier);
  return { kind, tier, tokens, cost: rate === undefined ? undefined : tokens * rate };
};
const own = (models: Readonly<Record<string, readonly UsageCell[]>>): OwnUsage => ({
  calls: 1,
  estimatedCalls: 0,
  models: new Map(
    Object.entries(models).map(([model, cells]) => [
      model,
      new Map(cells.map((one) => [toCellKey(one.tier, one.kind), { ...one }])),
    ]),
  ),
});
const usage = (model: string, tokens: Tokens, tier = ""): ReportLine[] =>
  Object.entries(tokens).map(([kind, count]) => ({
    model,
    kind,
    tier,
    tokens: count,
    isCost: false,
    costNanodollars: 0,
    label: "",
  }));
const bill = (model: string, costs: Tokens): ReportLine[] =>
  Object.entries(costs).map(([kind, cost]) => ({
    model,
    kind,
    tier: "",
    tokens: 0,
    isCost: true,
    costNanodollars: cost,
    label: `${model}, ${kind}`,
  }));

const CALLS = [cell("m", "input", 10_000_000), cell("m", "cache_read", 4_000_000), cell("m", "output", 1_000_000)];
const BILLED = { input: 20e9, cache_read: 0.8e9, output: 10e9 };
const USED = { input: 10_000_000, cache_read: 4_000_000, output: 1_000_000 };

const compare = (ours: OwnUsage, lines: readonly ReportLine[]) => compareReport(ours, { ...SHAPE, lines }, findRate);
const brief = (differences: readonly ReportDifference[]) =>
  differences.map(({ reason, model, kind, tokens, cost }) => [reason, model, kind, tokens, cost]);
/** The bill minus the catalogue's cost of the log. */
const gap = (ours: OwnUsage, lines: readonly ReportLine[]): number =>
  lines.reduce((sum, { costNanodollars }) => sum + costNanodollars, 0) -
  [...ours.models.values()].flatMap((cells) => [...cells.values()]).reduce((sum, { cost = 0 }) => sum + cost, 0);

describe("a provider's report", () => {
  it("has no differences if it has no errors", () => {
    expect(compare(own({ m: CALLS }), [...usage("m", USED), ...bill("m", BILLED)])).toEqual([]);
  });

  it.each<[string, OwnUsage, ReportLine[], unknown[]]>([
    [
      "usage that the log lacks",
      own({ m: CALLS }),
      [...usage("m", { ...USED, input: 13_000_000 }), ...bill("m", { ...BILLED, input: 26e9 })],
      [["unseen", "m", "input", 3_000_000, 6e9]],
    ],
    [
      "a model that the log lacks",
      own({ m: CALLS }),
      [
        ...usage("m", USED),
        ...bill("m", BILLED),
        ...usage("other", { output: 500_000 }),
        ...bill("other", { output: 5e9 }),
      ],
      [["unseen", "other", "output", 500_000, 5e9]],
    ],
    [
      "usage that the bill lacks",
      own({ m: CALLS }),
      [...usage("m", { ...USED, output: 400_000 }), ...bill("m", { ...BILLED, output: 4e9 })],
      [["unreported", "m", "output", -600_000, -6e9]],
    ],
    [
      "a model that the bill lacks",
      own({ m: CALLS, mini: [cell("mini", "input", 1_000_000)] }),
      [...usage("m", USED), ...bill("m", BILLED)],
      [["unreported", "mini", "input", -1_000_000, -2e9]],
    ],
    [
      "cache reads billed as input",
      own({ m: CALLS }),
      [
        ...usage("m", { ...USED, input: 11_000_000, cache_read: 3_000_000 }),
        ...bill("m", { ...BILLED, input: 22e9, cache_read: 0.6e9 }),
      ],
      [["cache", "m", "input", 1_000_000, 1.8e9]],
    ],
    [
      "standard calls billed at another tier",
      own({ m: CALLS }),
      [
        ...usage("m", { ...USED, output: 700_000 }),
        ...usage("m", { output: 300_000 }, "priority"),
        ...bill("m", { ...BILLED, output: 13e9 }),
      ],
      [["tier", "m", "output", 300_000, 3e9]],
    ],
    [
      "a bill rounded to cents",
      own({ m: [cell("m", "input", 1_001_700)] }),
      [...usage("m", { input: 1_001_700 }), ...bill("m", { input: 2e9 })],
      [["rounding", "m", "input", 0, -3_400_000]],
    ],
    [
      "another price than the catalogue's",
      own({ m: CALLS }),
      [...usage("m", USED), ...bill("m", { ...BILLED, output: 15e9 })],
      [["price", "m", "output", 0, 5e9]],
    ],
    [
      "a charge without a model",
      own({ m: CALLS }),
      [
        ...usage("m", USED),
        ...bill("m", BILLED),
        { ...(bill("", { "": 2e9 })[0] as ReportLine), label: "Image models" },
      ],
      [["unseen", "", "Image models", 0, 2e9]],
    ],
  ])("with %s names kind and amount", (_, ours, lines, expected) => {
    const found = compare(ours, lines);
    expect(brief(found)).toEqual(expected);
    expect(found.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBe(gap(ours, lines));
  });

  it("names each of several errors, and their amounts add up to the difference", () => {
    const ours = own({
      a: [cell("a", "input", 8_000_000), cell("a", "cache_read", 2_000_000), cell("a", "output", 1_000_000)],
      b: [cell("b", "output", 2_000_000)],
      c: [cell("c", "input", 5_000_000)],
      d: [cell("d", "input", 1_001_700)],
    });
    const lines = [
      // Half a million cache reads at the full price, and 700 000 tokens of another client.
      ...usage("a", { input: 9_200_000, cache_read: 1_500_000, output: 1_000_000 }),
      ...bill("a", { input: 18.4e9, cache_read: 0.3e9, output: 10e9 }),
      // A quarter at another tier.
      ...usage("b", { output: 1_500_000 }),
      ...usage("b", { output: 500_000 }, "priority"),
      ...bill("b", { output: 25e9 }),
      // c is not reported; d is rounded.
      ...usage("d", { input: 1_001_700 }),
      ...bill("d", { input: 2e9 }),
    ];
    const found = compare(ours, lines);
    expect(brief(found)).toEqual([
      ["unreported", "c", "input", -5_000_000, -10e9],
      ["tier", "b", "output", 500_000, 5e9],
      ["unseen", "a", "input", 700_000, 1.4e9],
      ["cache", "a", "input", 500_000, 0.9e9],
      ["rounding", "d", "input", 0, -3_400_000],
    ]);
    expect(found.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBe(gap(ours, lines));
  });

  it("finds an alias of the log under the snapshots that the provider names", () => {
    const cells = [cell("gpt-4o", "input", 100)];
    expect(compare(own({ "gpt-4o": cells }), usage("gpt-4o-2024-08-06", { input: 100 }))).toEqual([]);
    const both = own({ "gpt-4o": cells, "gpt-4o-2024-08-06": [cell("gpt-4o", "input", 50)] });
    expect(compare(both, usage("gpt-4o-2024-08-06", { input: 150 }))).toEqual([]);
    expect(brief(compare(own({ "gpt-4o": cells }), usage("gpt-4o-mini", { input: 100 })))).toEqual([
      ["unreported", "gpt-4o", "input", -100, -200_000],
      ["unseen", "gpt-4o-mini", "input", 100, 200_000],
    ]);
  });

  it("counts kinds and tiers that the report does not distinguish together", () => {
    const ours = own({
      "openai/m": [
        cell("m", "input", 100),
        cell("m", "cache_read", 50),
        cell("m", "output", 10, "priority"),
        cell("m", "reasoning", 5),
      ],
    });
    const lines = usage("openai/m", { input: 150, output: 15 });
    expect(compareReport(ours, { kinds: ["input", "output"], hasTiers: false, lines }, findRate)).toEqual([]);
  });

  it("compares tokens without a price, and names no amount", () => {
    const ours = own({ "unpriced-1": [cell("unpriced-1", "input", 10)] });
    const found = compare(ours, [...usage("unpriced-1", { input: 30 }), ...bill("unpriced-1", { input: 9e9 })]);
    expect(brief(found)).toEqual([["unseen", "unpriced-1", "input", 20, null]]);
  });
});
