import { builtInCompletionRatio } from "@turnpike/contract/pricing/completion-ratio";
import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/price-unit";

/** A model's price as the visual editor shows it: dollars a call, or dollars per million tokens in and out. */
export type PriceRow = {
  readonly name: string;
  readonly mode: "tokens" | "call" | "unset";
  readonly inputDollars: number;
  readonly outputDollars: number;
  readonly callDollars: number;
};

type Table = Readonly<Record<string, number>>;

/** The price options as parsed tables. */
export type PriceTables = { readonly modelRatio: Table; readonly completionRatio: Table; readonly modelPrice: Table };

const DECIMALS = 6;

const tidy = (value: number): number => Number(value.toFixed(DECIMALS));

/** How many times the input price the output price is; 1 where there is no input price to compare with. */
export const getCompletionRatio = (prices: Pick<PriceRow, "inputDollars" | "outputDollars">): number =>
  prices.inputDollars > 0 ? tidy(prices.outputDollars / prices.inputDollars) : 1;

/** One row per model that has a price or is callable, by name. */
export function priceRows(
  { modelRatio, completionRatio, modelPrice }: PriceTables,
  callable: readonly string[],
): PriceRow[] {
  const names = [...new Set([...Object.keys(modelPrice), ...Object.keys(modelRatio), ...callable])];
  return names.sort().map((name) => {
    const ratio = modelRatio[name];
    const price = modelPrice[name];
    const completion = completionRatio[name] ?? builtInCompletionRatio(name);
    const inputDollars = tidy((ratio ?? 0) * DOLLARS_PER_MILLION);
    return {
      name,
      mode: price !== undefined ? "call" : ratio !== undefined ? "tokens" : "unset",
      inputDollars,
      outputDollars: tidy(inputDollars * completion),
      callDollars: price ?? 0,
    };
  });
}

const without = (table: Table, name: string): Table =>
  Object.fromEntries(Object.entries(table).filter(([key]) => key !== name));

/** The tables with one model's price replaced. A price per call clears the ratios and the other way round. */
export function withPrice(tables: PriceTables, row: PriceRow): PriceTables {
  const cleared: PriceTables = {
    modelRatio: without(tables.modelRatio, row.name),
    completionRatio: without(tables.completionRatio, row.name),
    modelPrice: without(tables.modelPrice, row.name),
  };
  if (row.mode === "unset") return cleared;
  if (row.mode === "call")
    return { ...cleared, modelPrice: { ...cleared.modelPrice, [row.name]: tidy(row.callDollars) } };
  const ratio = tidy(row.inputDollars / DOLLARS_PER_MILLION);
  return {
    ...cleared,
    modelRatio: { ...cleared.modelRatio, [row.name]: ratio },
    completionRatio: { ...cleared.completionRatio, [row.name]: getCompletionRatio(row) },
  };
}
