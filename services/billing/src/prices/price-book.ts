import { createHash } from "node:crypto";
import {
  applyPriceChanges,
  findPriceProblem,
  getPriceValue,
  type PriceValues,
} from "@turnpike/contract/pricing/price-changes";
import type { PriceChange } from "@turnpike/contract/pricing/price-differences";
import { PRICE_KEYS, type PriceKey } from "@turnpike/contract/pricing/price-options";
import type { AuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import { AppError } from "@turnpike/shared/errors/app-error";
import { pricesChanged } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { Logger } from "@turnpike/shared/log/log";
import { inTransaction, isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { toAuditAction } from "./price-audit.ts";
import type { PriceBookDoc } from "../store/price-book-document.ts";
import type { PriceBookStore } from "./price-book-store.ts";
import type { PriceHistory } from "./price-history.ts";

/** Every price option in force and their revision. */
export type PriceBookSnapshot = {
  readonly revision: number;
  readonly options: readonly { readonly key: PriceKey; readonly value: string }[];
};

/** The price options that a version before stored at auth. `isExact` is false where defaults of another version may be among them. */
export type FormerPrices = { readonly values: PriceValues; readonly isExact: boolean };

/** What a transaction made of the book: its revision, and the options that are different now. */
type Outcome = { readonly revision: number; readonly keys: readonly PriceKey[] };

type Deps = {
  readonly connection: Connection;
  readonly store: PriceBookStore;
  readonly history: Pick<PriceHistory, "record">;
  readonly outbox: Pick<AuditOutbox, "recordAllWithin" | "sendSoon">;
  readonly bus: Pick<Bus, "notify">;
  readonly runExclusive: KeyedMutex;
  readonly log: Logger;
};

export type PriceBook = ReturnType<typeof createPriceBook>;

const NO_BOOK: Omit<PriceBookDoc, "_id"> = { revision: 0, values: {}, formerDigests: {}, locks: 0 };

const toDigest = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : createHash("sha256").update(value).digest("hex");

/** The same values without those that are undefined, which MongoDB would store as null. */
const withoutUndefined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;

/** The values after changes; throws what is wrong with them. */
function applyChanges(stored: PriceValues, changes: readonly PriceChange[]): PriceValues {
  const applied = applyPriceChanges(stored, changes);
  if (!("problem" in applied)) return applied.values;
  if (applied.problem === "fallback") throw new AppError("fallback_pricing_invalid", "the fallback prices contradict");
  const { key, path, detail } = applied.problem;
  throw new AppError("option_invalid", `the price at ${path} is not valid`, { params: { key, path, detail } });
}

/** The price book: the only place where prices change, each change with one revision that readers take over as a whole. */
export function createPriceBook(deps: Deps) {
  const { connection, store, history, outbox, bus, runExclusive, log } = deps;

  /** Values that this version can read; another one has its default until it is replaced. */
  const getUsable = (values: PriceValues): PriceValues => {
    const isUsable = (key: PriceKey): boolean => {
      const value = values[key];
      const problem = value === undefined ? undefined : findPriceProblem(key, value);
      if (problem) log.warn({ option: key, problem }, "a stored price option is not valid; its default is in force");
      return value !== undefined && !problem;
    };
    return Object.fromEntries(PRICE_KEYS.filter(isUsable).map((key) => [key, values[key]]));
  };
  const known = (book: PriceBookDoc | undefined): PriceBookDoc => {
    if (!book) throw new AppError("unavailable", "the prices of this install are not known yet");
    return book;
  };
  /** Runs a change in a transaction, after those of this process, and announces what it changed. */
  const commit = async (run: (session: ClientSession) => Promise<Outcome>): Promise<Outcome> => {
    const outcome = await runExclusive("prices", () => inTransaction(connection, run));
    const { revision, keys } = outcome;
    if (keys.length > 0) bus.notify(pricesChanged, { revision, keys: [...keys] });
    return outcome;
  };
  const takeOver = async ({ values: former, isExact }: FormerPrices, named?: readonly PriceKey[]): Promise<void> => {
    const { revision, keys } = await commit(async (session) => {
      const book = await store.readLocked(session);
      const candidates = book
        ? (named ?? PRICE_KEYS.filter((key) => isExact && former[key] !== undefined))
        : PRICE_KEYS;
      const base: Omit<PriceBookDoc, "_id"> = book ?? NO_BOOK;
      const fresh = candidates.filter((key) => toDigest(former[key]) !== base.formerDigests[key]);
      if (book && fresh.length === 0) return { revision: book.revision, keys: [] };
      const next = base.revision + 1;
      const digests = Object.fromEntries(fresh.map((key) => [key, toDigest(former[key])]));
      const taken = Object.fromEntries(fresh.map((key) => [key, former[key]]));
      await store.write(
        {
          ...base,
          revision: next,
          values: withoutUndefined({ ...base.values, ...taken }),
          formerDigests: withoutUndefined({ ...base.formerDigests, ...digests }),
        },
        session,
      );
      return { revision: next, keys: book ? fresh : PRICE_KEYS };
    });
    if (keys.length > 0) log.info({ revision, options: keys.length }, "price options taken over from auth");
  };
  let held: PriceBookSnapshot | undefined;
  return {
    /** Every price option in force; throws unavailable until the prices of this install are known. */
    async snapshot(): Promise<PriceBookSnapshot> {
      const { revision, values } = known(await store.read());
      if (held?.revision === revision) return held;
      const usable = getUsable(values);
      held = { revision, options: PRICE_KEYS.map((key) => ({ key, value: getPriceValue(usable, key) })) };
      return held;
    },
    /**
     * Makes all changes or none and returns the revision in force with them; throws prices_changed, option_invalid,
     * fallback_pricing_invalid.
     */
    async change(actor: Actor, changes: readonly PriceChange[], expectedRevision?: number): Promise<number> {
      const outcome = await commit(async (session) => {
        const book = known(await store.readLocked(session));
        if (expectedRevision !== undefined && expectedRevision !== book.revision)
          throw new AppError("prices_changed", `revision ${book.revision} is in force, not ${expectedRevision}`);
        const usable = getUsable(book.values);
        const values = applyChanges(usable, changes);
        const keys = changes.map(({ key }) => key).filter((key) => values[key] !== book.values[key]);
        if (keys.length === 0) return { revision: book.revision, keys };
        const options = keys.map((key) => ({
          key,
          before: getPriceValue(usable, key),
          after: getPriceValue(values, key),
        }));
        const next = Object.fromEntries(keys.map((key) => [key, values[key]]));
        const revision = book.revision + 1;
        await store.write({ ...book, revision, values: withoutUndefined({ ...book.values, ...next }) }, session);
        await history.record(actor, options, session);
        await outbox.recordAllWithin(session, actor, options.map(toAuditAction));
        return { revision, keys };
      });
      outbox.sendSoon();
      return outcome.revision;
    },
    /**
     * Takes price options over that a version before stored at auth: all of them the first time; later those that changed there since,
     * among the named ones where some are named. Replicas that do it at once, or again, change nothing.
     */
    async takeOver(former: FormerPrices, named?: readonly PriceKey[]): Promise<void> {
      try {
        await takeOver(former, named);
      } catch (error) {
        // Another replica stored the first book.
        if (!isDuplicateKey(error)) throw error;
        await takeOver(former, named);
      }
    },
    /** Whether there is a book. */
    isStored: async (): Promise<boolean> => (await store.read()) !== undefined,
  };
}
