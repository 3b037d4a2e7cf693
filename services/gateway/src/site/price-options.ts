import type { PriceKey } from "@turnpike/contract/pricing/price-options";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import { isUnimplemented } from "@turnpike/shared/grpc/status";
import type { Services } from "../http/services.ts";

type PriceServices = Pick<Services, "auth" | "priceBook">;

/** The price options in force, by key. While billing is down, or of a version without a price book, auth has a copy of them. */
export async function readPriceOptions(
  { auth, priceBook }: PriceServices,
  call: CallOptions,
): Promise<ReadonlyMap<string, string>> {
  const { options } = await priceBook.getPriceBook({}, call).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "unavailable") return auth.getOptionsSnapshot({});
    throw error;
  });
  return new Map(options.map(({ key, value }) => [key, value]));
}

/**
 * Stores price options by their keys as one change; undefined returns one to its default. A billing of an earlier version
 * leaves the prices to auth; during an upgrade both versions answer.
 */
export async function savePriceOptions(
  { auth, priceBook }: PriceServices,
  options: readonly { readonly key: PriceKey; readonly value: string | undefined }[],
  call: CallOptions,
): Promise<void> {
  const changes = options.map(({ key, value }) => ({ key, value, reset: value === undefined, set: {}, remove: [] }));
  try {
    await priceBook.changePrices({ changes, expectedRevision: undefined }, call);
  } catch (error) {
    if (!isUnimplemented(error)) throw error;
    for (const { key, value } of options)
      await (value === undefined ? auth.resetModelRatio({}, call) : auth.setOption({ key, value }, call));
  }
}
