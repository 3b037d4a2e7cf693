import type { PriceChange } from "@turnpike/contract/options/price-differences";
import type { PriceKey } from "@turnpike/contract/options/price-options";
import type { AuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import { pricesChanged } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { Logger } from "@turnpike/shared/log/log";
import { inTransaction, isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { requireConfirmation } from "./catalogue-confirmation.ts";
import { createBuiltInLookup } from "./built-in-prices.ts";
import { toAuditAction } from "./price-audit.ts";
import type { PriceBookDoc } from "../store/price-book-document.ts";
import { type FormerPrices, planTakeover } from "./takeover-plan.ts";
import type { PriceBookStore } from "./price-book-store.ts";
import { dropFormerDefaults } from "./former-defaults.ts";
import type { PriceHistory, PriceOptionValues } from "./price-history.ts";
import { createPriceReads } from "./price-reads.ts";
import { getUsable, planChange, requireBook, requireRevision } from "./price-plan.ts";

/** What a change depends on: the revision it was made from, and the confirmation of large changes of catalogue prices. */
export type ChangeConditions = {
  readonly expectedRevision?: number | undefined;
  readonly isConfirmed?: boolean | undefined;
};

/** Who the history names for what this version changes by itself. */
const MIGRATION = { userId: 0, username: "migration" } as const;

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

type Commit = (run: (session: ClientSession) => Promise<Outcome>) => Promise<Outcome>;

/** Runs changes in a transaction each, after those of this process, and announces what they changed. */
const createCommit =
  ({ connection, bus, runExclusive }: Deps): Commit =>
  async (run) => {
    const outcome = await runExclusive("prices", () => inTransaction(connection, run));
    const { revision, keys } = outcome;
    if (keys.length > 0) bus.notify(pricesChanged, { revision, keys: [...keys] });
    return outcome;
  };

/** Changes by administrators. */
function createChanges({ store, history, outbox, log }: Deps, commit: Commit) {
  const recordDropped = async (
    dropped: readonly PriceOptionValues[],
    { values }: PriceBookDoc,
    session: ClientSession,
  ): Promise<void> => {
    const find = createBuiltInLookup(values);
    await history.record(MIGRATION, dropped, { builtIn: { before: find, after: find }, session });
  };
  return {
    /**
     * Makes all changes or none and returns the revision in force with them; throws prices_changed, option_invalid,
     * fallback_pricing_invalid.
     */
    async change(
      actor: Actor,
      changes: readonly PriceChange[],
      { expectedRevision, isConfirmed = false }: ChangeConditions = {},
    ): Promise<number> {
      const outcome = await commit(async (session) => {
        const stored = requireBook(await store.readLocked(session));
        requireRevision(stored, expectedRevision);
        const { book, options: dropped } = dropFormerDefaults(stored);
        const usable = getUsable(book.values, log);
        const plan = planChange(book, usable, changes);
        if (!isConfirmed) requireConfirmation(usable, plan.book.values);
        const keys = plan.options.map(({ key }) => key);
        if (keys.length === 0) return { revision: book.revision, keys };
        await store.write(plan.book, session);
        await recordDropped(dropped, stored, session);
        const builtIn = { before: createBuiltInLookup(usable), after: createBuiltInLookup(plan.book.values) };
        await history.record(actor, plan.options, { builtIn, session });
        await outbox.recordAllWithin(session, actor, plan.options.map(toAuditAction));
        return { revision: plan.book.revision, keys: [...new Set([...keys, ...dropped.map(({ key }) => key)])] };
      });
      outbox.sendSoon();
      return outcome.revision;
    },
    /**
     * Stores the book without the default prices of versions before the catalogue, once. Reads leave them out before, too: a replica of
     * such a version may still run, and needs them.
     */
    async dropFormerDefaults(): Promise<void> {
      if ((await store.read())?.formerValues !== undefined) return;
      const { revision, keys } = await commit(async (session) => {
        const stored = requireBook(await store.readLocked(session));
        const { book, options } = dropFormerDefaults(stored);
        const next = { ...book, revision: stored.revision + (options.length > 0 ? 1 : 0) };
        await store.write(next, session);
        await recordDropped(options, stored, session);
        return { revision: next.revision, keys: options.map(({ key }) => key) };
      });
      if (keys.length > 0) log.info({ revision, options: keys }, "former default prices dropped");
    },
  };
}

/** Takes prices over that auth stored in versions before. */
function createTakeOver({ store, log }: Deps, commit: Commit) {
  const takeOnce = async (former: FormerPrices, named?: readonly PriceKey[]): Promise<void> => {
    const { revision, keys } = await commit(async (session) => {
      const book = await store.readLocked(session);
      const plan = planTakeover(book, former, named);
      if (!plan) return { revision: book?.revision ?? 0, keys: [] };
      await store.write(plan.book, session);
      return { revision: plan.book.revision, keys: plan.keys };
    });
    if (keys.length > 0) log.info({ revision, options: keys.length }, "price options taken over from auth");
  };
  return async function takeOver(former: FormerPrices, named?: readonly PriceKey[]): Promise<void> {
    try {
      await takeOnce(former, named);
    } catch (error) {
      // Another replica stored the first book.
      if (!isDuplicateKey(error)) throw error;
      await takeOnce(former, named);
    }
  };
}

/**
 * The price book: the only place where prices change. Each change has one revision, and readers replace their copy as a
 * whole.
 */
export function createPriceBook(deps: Deps) {
  const commit = createCommit(deps);
  return {
    ...createPriceReads(deps.store, deps.log),
    ...createChanges(deps, commit),
    /**
     * Takes price options over that a version before stored at auth: all of them the first time; later those that changed there since,
     * among the named ones where some are named. Replicas that do it at once, or again, change nothing.
     */
    takeOver: createTakeOver(deps, commit),
    /** Whether there is a book. */
    isStored: async (): Promise<boolean> => (await deps.store.read()) !== undefined,
  };
}
