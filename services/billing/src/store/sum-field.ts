import { type ClientSession, mongo } from "mongoose";

/**
 * The sum of a field of integers in a `$group`, exact at any size: MongoDB adds numbers in floating point. `readExactSum` reads it.
 */
export const exactSum = (field: string) => ({ $sum: { $toDecimal: { $toLong: `$${field}` } } });

/** Reads a sum of `exactSum`; 0 for a group without documents. */
export const readExactSum = (sum: unknown): bigint =>
  sum instanceof mongo.BSON.Decimal128 ? BigInt(sum.toString()) : BigInt((sum as number | undefined) ?? 0);

/** The sum of a field over the documents of a query; 0 without any. */
export async function sumField<Doc extends mongo.Document>(
  collection: mongo.Collection<Doc>,
  { query, field }: { readonly query: mongo.Filter<Doc>; readonly field: string },
  options: { readonly maxTimeMS: number; readonly session?: ClientSession },
): Promise<number> {
  const sums = collection.aggregate<{ sum: number }>(
    [{ $match: query }, { $group: { _id: null, sum: { $sum: `$${field}` } } }],
    options,
  );
  return (await sums.next())?.sum ?? 0;
}
