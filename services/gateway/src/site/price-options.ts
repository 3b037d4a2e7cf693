import type { PriceKey } from "@turnpike/contract/options/price-options";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import { isUnimplemented } from "@turnpike/shared/grpc/status";
import type { Services } from "../http/services.ts";

type PriceServices = Pick<Services, "auth" | "priceBook">;

/**
 * The price options in force, by key. Reads auth's copy while billing is down or has no price book (an earlier
 * version).
 */
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
 * Stores price options by their keys as one change; undefined resets an option to its default. A billing of an earlier
 * version leaves the prices to auth; during an upgrade both versions respond.
 */
export async function savePriceOptions(
  { auth, priceBook }: PriceServices,
  options: readonly { readonly key: PriceKey; readonly value: string | undefined }[],
  call: CallOptions,
): Promise<void> {
  const changes = options.map(({ key, value }) => ({ key, value, reset: value === undefined, set: {}, remove: [] }));
  try {
    await priceBook.changePrices({ changes, expectedRevision: undefined, isConfirmed: undefined }, call);
  } catch (error) {
    if (!isUnimplemented(error)) throw error;
    for (const { key, value } of options)
      await (value === undefined ? auth.resetModelRatio({}, call) : auth.setOption({ key, value }, call));
  }
}
