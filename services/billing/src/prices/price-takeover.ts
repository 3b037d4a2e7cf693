import { OPTIONS } from "@turnpike/contract/options/option-definitions";
import { isPriceKey, type PriceKey } from "@turnpike/contract/options/price-options";
import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import { optionsChanged } from "@turnpike/shared/events/auth";
import type { Bus } from "@turnpike/shared/events/bus";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import { isUnimplemented } from "@turnpike/shared/grpc/status";
import type { Logger } from "@turnpike/shared/log/log";
import type { PriceBook } from "./price-book.ts";
import type { FormerPrices } from "./takeover-plan.ts";

type FormerOwner = Pick<GrpcClient<AuthServiceServer>, "listFormerPriceOptions" | "getOptionsSnapshot">;

const TIMEOUT_MS = 3_000;
const BACKOFF = { firstMs: 250, maxMs: 1_000 };

/** Reads the price options that auth has stored; an auth of a former version cannot leave out its defaults, so equal ones are. */
export function createFormerPrices(auth: FormerOwner): () => Promise<FormerPrices> {
  const toValues = (rows: readonly { readonly key: string; readonly value: string }[]) =>
    Object.fromEntries(
      rows
        .filter(({ key, value }) => isPriceKey(key) && value !== OPTIONS[key].default)
        .map(({ key, value }) => [key, value]),
    );
  return async () => {
    try {
      const { options } = await auth.listFormerPriceOptions({}, { timeoutMs: TIMEOUT_MS });
      return { values: toValues(options), isExact: true };
    } catch (error) {
      if (!isUnimplemented(error)) throw error;
      const { options } = await auth.getOptionsSnapshot({}, { timeoutMs: TIMEOUT_MS });
      return { values: toValues(options), isExact: false };
    }
  };
}

/**
 * Imports the prices that auth stored before billing owned them: at the start, and when an auth of an earlier version,
 * which runs in parallel during an upgrade, reports a change.
 */
export function createPriceTakeover(deps: {
  book: Pick<PriceBook, "takeOver">;
  readFormer: () => Promise<FormerPrices>;
  bus: Pick<Bus, "listen">;
  log: Logger;
}) {
  const { book, readFormer, bus, log } = deps;
  const named = new Set<PriceKey>();
  let isWhole = false;

  const takeOnce = async (keys: readonly PriceKey[]): Promise<void> => {
    const former = await readFormer();
    if (isWhole) await book.takeOver(former);
    isWhole = false;
    if (keys.length > 0) await book.takeOver(former, keys);
  };
  const takePending = async (): Promise<void> => {
    if (!isWhole && named.size === 0) return;
    // A notice that arrives from here on is about a value that may not have been read yet; it wakes the loop again.
    const keys = [...named];
    named.clear();
    try {
      await takeOnce(keys);
    } catch (error) {
      for (const key of keys) named.add(key);
      throw error;
    }
  };
  const loop = createBackgroundLoop({
    task: "price takeover from auth",
    run: takePending,
    everyMs: Infinity,
    backoff: BACKOFF,
    log,
    failureLevel: "info",
  });
  return {
    start(): void {
      isWhole = true;
      bus.listen(optionsChanged, ({ keys }) => {
        for (const key of keys) if (isPriceKey(key)) named.add(key);
        loop.wake();
      });
      loop.start();
    },
    stop: loop.stop,
  };
}
