import type { LogDoc } from "../store/usage-documents.ts";

/** Calls of one requested model, what they cost without refunds, and the channels that served them. */
export type ModelTotal = {
  readonly model: string;
  readonly calls: number;
  readonly quota: number;
  readonly channelIds: readonly number[];
};

/** Calls at one price of a catalogue, what they cost and what they would have cost. */
export type ModelRevenue = { calls: number; channelIds: Set<number>; quota: number; newQuota: number };

export type Revenue = {
  /** By the name under which a catalogue has the price of a call. */
  readonly byPrice: ReadonlyMap<string, ModelRevenue>;
  readonly quota: number;
  readonly newQuota: number;
  /** Whether a part was calculated in proportion. */
  readonly isPartial: boolean;
};

type Amounts = { readonly quota: number; readonly newQuota: number };

const noSum = (): ModelRevenue => ({ calls: 0, channelIds: new Set(), quota: 0, newQuota: 0 });

function findSum(sums: Map<string, ModelRevenue>, name: string): ModelRevenue {
  const sum = sums.get(name) ?? noSum();
  sums.set(name, sum);
  return sum;
}

function addTo(sum: ModelRevenue, { calls, quota, newQuota }: Amounts & { readonly calls: number }): void {
  sum.calls += calls;
  sum.quota += quota;
  sum.newQuota += newQuota;
}

/** The rows of one requested model: all of them, and by the names of its prices. */
type Rows = { readonly all: ModelRevenue; readonly byName: Map<string, ModelRevenue> };

/** The factor by which the rows that were read stand for all; 1 where all were read. */
const scale = (total: number, read: number, isPartial: boolean): number => (isPartial && read > 0 ? total / read : 1);

/** Adds rows up by requested model and by the names of their prices. `findNames` finds those of a model whose rows were not read. */
export function createRevenueSums(findNames: (model: string) => readonly string[]) {
  const models = new Map<string, Rows>();
  return {
    add(row: Pick<LogDoc, "modelName" | "channel">, names: readonly string[], amounts: Amounts): void {
      const rows = models.get(row.modelName) ?? { all: noSum(), byName: new Map<string, ModelRevenue>() };
      models.set(row.modelName, rows);
      for (const sum of [rows.all, ...names.map((name) => findSum(rows.byName, name))]) {
        addTo(sum, { ...amounts, calls: 1 });
        sum.channelIds.add(row.channel);
      }
    },
    /** The revenue of all calls; where not all rows were read, those of a model stand for the others. */
    read(totals: readonly ModelTotal[], isPartial: boolean): Revenue {
      const byPrice = new Map<string, ModelRevenue>();
      let [quota, newQuota] = [0, 0];
      for (const total of totals) {
        const rows = models.get(total.model);
        const amounts = { calls: total.calls, quota: total.quota, newQuota: total.quota };
        const calls = scale(total.calls, rows?.all.calls ?? 0, isPartial);
        const money = scale(total.quota, rows?.all.quota ?? 0, isPartial);
        const found = rows?.byName ?? new Map(findNames(total.model).map((name) => [name, noSum()]));
        for (const [name, sum] of found) {
          const target = findSum(byPrice, name);
          const scaled = {
            calls: Math.round(sum.calls * calls),
            quota: Math.round(sum.quota * money),
            newQuota: Math.round(sum.newQuota * money),
          };
          addTo(target, rows ? scaled : amounts);
          for (const id of rows && !isPartial ? sum.channelIds : total.channelIds) target.channelIds.add(id);
        }
        quota += rows ? Math.round(rows.all.quota * money) : amounts.quota;
        newQuota += rows ? Math.round(rows.all.newQuota * money) : amounts.newQuota;
      }
      return { byPrice, quota, newQuota, isPartial };
    },
  };
}
