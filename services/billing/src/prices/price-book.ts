import {
  applyPriceChanges,
  findPriceProblem,
  getPriceValue,
  type PriceValues,
} from "@turnpike/contract/options/price-changes";
import type { PriceChange } from "@turnpike/contract/options/price-differences";
import { CATALOGUE_ROW, FAMILY_KEYS, PRICE_KEYS, type PriceKey } from "@turnpike/contract/options/price-options";
import type { AuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import { AppError } from "@turnpike/shared/errors/app-error";
import { pricesChanged } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { Logger } from "@turnpike/shared/log/log";
import { inTransaction, isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { requireConfirmation } from "./catalogue-confirmation.ts";
import { createBuiltInLookup, getBuiltInRules, toFamilyView, withoutBuiltIn } from "./built-in-prices.ts";
import { toAuditAction } from "./price-audit.ts";
import type { PriceBookDoc } from "../store/price-book-document.ts";
import { type FormerPrices, planTakeover, withoutUndefined } from "./takeover-plan.ts";
import type { PriceBookStore } from "./price-book-store.ts";
import { dropFormerDefaults } from "./former-defaults.ts";
import type { PriceHistory, PriceOptionValues } from "./price-history.ts";

type Rows = readonly { readonly key: string; readonly value: string }[];

/**
 * Every price option in force and their revision: `options` as services read them; `view` as administrators and the family's
 * clients do. Both have the built-in prices in the family's tables, as earlier versions expect; the row CATALOGUE_ROW informs services
 * what of them the operator set.
 */
export type PriceBookSnapshot = { readonly revision: number; readonly options: Rows; readonly view: Rows };

function toSnapshot(revision: number, values: PriceValues): PriceBookSnapshot {
  const options = PRICE_KEYS.map((key) => ({ key, value: getPriceValue(values, key) }));
  const family: Readonly<Record<string, string>> = toFamilyView(values);
  const view = options.map(({ key, value }) => ({ key, value: family[key] ?? value }));
  const own = Object.fromEntries(FAMILY_KEYS.map((key) => [key, JSON.parse(getPriceValue(values, key)) as unknown]));
  return {
    revision,
    options: [...view, { key: CATALOGUE_ROW, value: JSON.stringify({ rules: getBuiltInRules(values), own }) }],
    view,
  };
}

/** The price options in force, and the same with changes that are not made. */
export type PricePreview = { readonly revision: number; readonly current: Rows; readonly proposed: Rows };

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

/** The values after changes; throws what is wrong with them. */
function applyChanges(stored: PriceValues, changes: readonly PriceChange[]): PriceValues {
  const applied = applyPriceChanges(stored, changes);
  if (!("problem" in applied)) return applied.values;
  if (applied.problem === "fallback") throw new AppError("fallback_pricing_invalid", "the fallback prices contradict");
  const { key, path, detail } = applied.problem;
  throw new AppError("option_invalid", `the price at ${path} is not valid`, { params: { key, path, detail } });
}

/** Values that this version can read; another one has its default until it is replaced. */
function getUsable(values: PriceValues, log: Logger): PriceValues {
  const isUsable = (key: PriceKey): boolean => {
    const value = values[key];
    const problem = value === undefined ? undefined : findPriceProblem(key, value);
    if (problem) log.warn({ option: key, problem }, "stored option invalid, using its default");
    return value !== undefined && !problem;
  };
  return Object.fromEntries(PRICE_KEYS.filter(isUsable).map((key) => [key, values[key]]));
}

function requireBook(book: PriceBookDoc | undefined): PriceBookDoc {
  if (!book) throw new AppError("unavailable", "the prices of this install are not known yet");
  return book;
}

/** The book after changes, and each option that they changed, before and after; throws what is wrong with the changes. */
function planChange(book: PriceBookDoc, usable: PriceValues, changes: readonly PriceChange[]) {
  const named = new Set<PriceKey>(changes.map(({ key }) => key));
  const values = withoutBuiltIn(applyChanges(usable, changes), named);
  // A rule that changes may clear the ratios of its model.
  const keys = PRICE_KEYS.filter((key) => values[key] !== (named.has(key) ? book.values : usable)[key]);
  const next = Object.fromEntries(keys.map((key) => [key, values[key]]));
  return {
    book: { ...book, revision: book.revision + 1, values: withoutUndefined({ ...book.values, ...next }) },
    options: keys.map((key) => ({ key, before: getPriceValue(usable, key), after: getPriceValue(values, key) })),
  };
}

function requireRevision({ revision }: PriceBookDoc, expected: number | undefined): void {
  if (expected !== undefined && expected !== revision)
    throw new AppError("prices_changed", `revision ${revision} is in force, not ${expected}`);
}

/** Reads of the price book, which need no service. */
export function createPriceReads(store: PriceBookStore, log: Logger) {
  let cached: PriceBookSnapshot | undefined;
  return {
    /** Every price option in force; throws unavailable until the prices of this install are known. */
    async snapshot(): Promise<PriceBookSnapshot> {
      const { revision, values } = dropFormerDefaults(requireBook(await store.read())).book;
      if (cached?.revision === revision) return cached;
      cached = toSnapshot(revision, getUsable(values, log));
      return cached;
    },
    /** Applies changes without storing them; throws as `change` does. */
    async preview(changes: readonly PriceChange[], expectedRevision?: number): Promise<PricePreview> {
      const { book } = dropFormerDefaults(requireBook(await store.read()));
      requireRevision(book, expectedRevision);
      const usable = getUsable(book.values, log);
      const { values } = planChange(book, usable, changes).book;
      const { revision } = book;
      const toRows = (of: PriceValues): Rows => toSnapshot(revision, of).options;
      return { revision, current: toRows(usable), proposed: toRows(getUsable(values, log)) };
    },
  };
}

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
