import { setTimeout as wait } from "node:timers/promises";
import { OPTIONS } from "@turnpike/contract/options/option-definitions";
import { isPriceKey, type PriceKey } from "@turnpike/contract/pricing/price-options";
import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { optionsChanged } from "@turnpike/shared/events/auth";
import type { Bus } from "@turnpike/shared/events/bus";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import { isUnimplemented } from "@turnpike/shared/grpc/status";
import type { Logger } from "@turnpike/shared/log/log";
import type { FormerPrices, PriceBook } from "./price-book.ts";

type FormerOwner = Pick<GrpcClient<AuthServiceServer>, "listFormerPriceOptions" | "getOptionsSnapshot">;

const TIMEOUT_MS = 3_000;
const RETRY_MS = 250;

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
 * Takes the prices over that auth kept before billing did: at the start, and when an auth of a former version, beside this one during an
 * upgrade, says that somebody changed one there.
 */
export function createPriceTakeover(deps: {
  book: Pick<PriceBook, "takeOver">;
  readFormer: () => Promise<FormerPrices>;
  bus: Pick<Bus, "listen">;
  log: Logger;
}) {
  const { book, readFormer, bus, log } = deps;
  const stopping = new AbortController();
  const named = new Set<PriceKey>();
  let isWhole = false;
  let running: Promise<void> | undefined;

  const isPending = (): boolean => (isWhole || named.size > 0) && !stopping.signal.aborted;
  const takeOnce = async (keys: readonly PriceKey[]): Promise<void> => {
    const former = await readFormer();
    if (isWhole) await book.takeOver(former);
    isWhole = false;
    if (keys.length > 0) await book.takeOver(former, keys);
  };
  const run = async (): Promise<void> => {
    let hasFailed = false;
    while (isPending()) {
      // A notice that arrives from here on is about a value that may not have been read yet.
      const keys = [...named];
      named.clear();
      try {
        await takeOnce(keys);
      } catch (error) {
        for (const key of keys) named.add(key);
        if (!hasFailed) log.info({ err: error }, "prices cannot be taken over from auth yet, will retry");
        hasFailed = true;
        await wait(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const begin = (): void => {
    running ??= run().finally(() => {
      running = undefined;
      if (isPending()) begin();
    });
  };
  return {
    start(): void {
      isWhole = true;
      bus.listen(optionsChanged, ({ keys }) => {
        for (const key of keys) if (isPriceKey(key)) named.add(key);
        begin();
      });
      begin();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
