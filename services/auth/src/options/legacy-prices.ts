import { isPriceKey, type PriceKey } from "@turnpike/contract/options/price-options";
import type { ListPriceChangesRequest } from "@turnpike/proto/auth/v1/price_history_service";
import type { PriceBookServiceServer } from "@turnpike/proto/billing/v1/price_book_service";
import { optionsChanged } from "@turnpike/shared/events/auth";
import { pricesChanged } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Actor } from "@turnpike/shared/grpc/context";
import { isUnimplemented } from "@turnpike/shared/grpc/status";
import type { Logger } from "@turnpike/shared/log/log";
import { createSnapshot } from "@turnpike/shared/snapshot/snapshot";
import type { OptionReader } from "./option-reader.ts";
import type { OptionStore, StoredOption } from "./option-store.ts";

type PriceBookClient = Pick<GrpcClient<PriceBookServiceServer>, "getPriceBook" | "changePrices" | "listPriceChanges">;
type Book = { readonly revision: number; readonly values: ReadonlyMap<string, string> };

export type FormerPrices = ReturnType<typeof createFormerPrices>;

/**
 * Price options in auth, for services of earlier versions that read and write them here: reads come from billing's
 * price book, writes go to it. A billing of an earlier version has no price book; then the options stored here apply.
 */
export function createFormerPrices(deps: {
  billing: PriceBookClient;
  reader: OptionReader;
  store: OptionStore;
  bus: Pick<Bus, "listen" | "notify">;
  log: Logger;
}) {
  const { billing, reader, store, bus, log } = deps;
  let announced: number | undefined;

  const fetchBook = async (): Promise<Book | undefined> => {
    try {
      const { revision, options } = await billing.getPriceBook({});
      return { revision, values: new Map(options.map(({ key, value }) => [key, value])) };
    } catch (error) {
      if (isUnimplemented(error)) return undefined;
      throw error;
    }
  };
  /** Services of earlier versions fetch the options again; no key is named, since nothing is stored here that billing lacks. */
  const announce = async (book: Book | undefined): Promise<void> => {
    if (!book || book.revision === announced) return;
    announced = book.revision;
    bus.notify(optionsChanged, { revision: (await reader.snapshot()).revision, keys: [] });
  };
  const book = createSnapshot<Book | undefined>({
    name: "prices",
    initial: undefined,
    fetch: fetchBook,
    log,
    onChange: (value) =>
      void announce(value).catch((error: unknown) => log.warn({ err: error }, "price change event could not be sent")),
  });
  bus.listen(pricesChanged, book.refresh);
  return {
    start: (): void => void book.start(),
    stop: book.stop,
    /** The options with billing's prices. */
    withPrices: (options: readonly StoredOption[]): StoredOption[] =>
      options.map(({ key, value }) => ({
        key,
        value: isPriceKey(key) ? (book.current()?.values.get(key) ?? value) : value,
      })),
    /**
     * Changes a price in billing, `undefined` for the built-in default; returns undefined if billing leaves prices to
     * auth.
     */
    async change(actor: Actor, key: PriceKey, value: string | undefined): Promise<number | undefined> {
      const change = { key, value, reset: value === undefined, set: {}, remove: [] };
      try {
        const { revision } = await billing.changePrices(
          { changes: [change], expectedRevision: undefined, isConfirmed: undefined },
          { actor },
        );
        book.refresh();
        return revision;
      } catch (error) {
        if (isUnimplemented(error)) return undefined;
        throw error;
      }
    },
    listChanges: (actor: Actor, request: ListPriceChangesRequest) => billing.listPriceChanges(request, { actor }),
    /** The price options that an earlier version stored here, for billing to import. */
    async listStored(): Promise<StoredOption[]> {
      return (await store.readAll()).filter(({ key }) => isPriceKey(key));
    },
  };
}
