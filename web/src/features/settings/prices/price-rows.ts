import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/dollars";

/** A model's price in the visual editor: dollars per call, or dollars per million tokens in and out. */
export type PriceRow = {
  readonly name: string;
  readonly mode: "tokens" | "call" | "unset";
  readonly inputDollars: number;
  readonly outputDollars: number;
  readonly callDollars: number;
  /** The price of cache reads relative to the input price; undefined where the model has no own one. */
  readonly cacheRatio?: number | undefined;
};

type Table = Readonly<Record<string, number>>;

/** The price options as parsed tables. */
export type PriceTables = {
  readonly modelRatio: Table;
  readonly completionRatio: Table;
  readonly modelPrice: Table;
  readonly cacheRatio: Table;
};

const DECIMALS = 6;

const tidy = (value: number): number => Number(value.toFixed(DECIMALS));

const RATIO_DIGITS = 12;

/** Dollars per million tokens read from the cache: the input price where the model has no price of its own. */
export const getCacheDollars = ({ inputDollars, cacheRatio = 1 }: PriceRow): number => tidy(inputDollars * cacheRatio);

/** A row with another price of cache reads; without an input price there is nothing to relate it to. */
export const withCacheDollars = (row: PriceRow, dollars: number): PriceRow =>
  row.inputDollars > 0 ? { ...row, cacheRatio: Number((dollars / row.inputDollars).toPrecision(RATIO_DIGITS)) } : row;

/** The output price relative to the input price, with digits enough to find it again; 1 without an input price. */
export const getCompletionRatio = (prices: Pick<PriceRow, "inputDollars" | "outputDollars">): number =>
  prices.inputDollars > 0 ? Number((prices.outputDollars / prices.inputDollars).toPrecision(RATIO_DIGITS)) : 1;

/** One row per model that has a price or is callable, by name. */
export function priceRows(
  { modelRatio, completionRatio, modelPrice, cacheRatio }: PriceTables,
  callable: readonly string[],
): PriceRow[] {
  const names = [...new Set([...Object.keys(modelPrice), ...Object.keys(modelRatio), ...callable])];
  return names.sort().map((name) => {
    const ratio = modelRatio[name];
    const price = modelPrice[name];
    const completion = completionRatio[name] ?? 1;
    const inputDollars = tidy((ratio ?? 0) * DOLLARS_PER_MILLION);
    return {
      name,
      mode: price !== undefined ? "call" : ratio !== undefined ? "tokens" : "unset",
      inputDollars,
      outputDollars: tidy(inputDollars * completion),
      callDollars: price ?? 0,
      cacheRatio: cacheRatio[name],
    };
  });
}

const without = (table: Table, name: string): Table =>
  Object.fromEntries(Object.entries(table).filter(([key]) => key !== name));

/** The tables with one model's price replaced. A per-call price clears the ratios and the other way round. */
export function withPrice(tables: PriceTables, row: PriceRow): PriceTables {
  const cleared: PriceTables = {
    modelRatio: without(tables.modelRatio, row.name),
    completionRatio: without(tables.completionRatio, row.name),
    modelPrice: without(tables.modelPrice, row.name),
    cacheRatio: row.cacheRatio === undefined ? tables.cacheRatio : { ...tables.cacheRatio, [row.name]: row.cacheRatio },
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
