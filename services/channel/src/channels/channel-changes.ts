import type { AuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import type { Bus } from "@turnpike/shared/events/bus";
import { channelChanged } from "@turnpike/shared/events/channel";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import { getAuditAction, auditDifference, auditText } from "./channel-audit.ts";
import type { ChannelDoc } from "./channel-model.ts";
import type { ChannelSelection, ChannelStore, ChannelWrite } from "./channel-store.ts";

type Row = { readonly action: string; readonly id: number; readonly before: string; readonly after: string };
/** The change of one of many channels; undefined leaves it unchanged. */
export type ManyPlan = (current: ChannelDoc) => ChannelWrite | "delete" | undefined;
export type ChannelChanges = ReturnType<typeof createChannelChanges>;

type ManyChange = {
  readonly selection: ChannelSelection;
  readonly plan: ManyPlan;
  /** Receives all selected channels before anything is written. */
  readonly check?: (found: readonly ChannelDoc[]) => void;
  /** When more are selected than can be changed at once, changes the first ones; without it, refuses. */
  readonly takesFirst?: boolean;
};

/** How many channels one transaction may change. */
export const CHANNELS_AT_ONCE_MAX = 2_000;

const tooMany = (): AppError =>
  new AppError("channel_too_many", "more channels than one transaction may change", {
    params: { max: String(CHANNELS_AT_ONCE_MAX) },
  });

/** The write on one channel with its audit row; `set` is undefined for a deletion. */
function toManyRow(before: ChannelDoc, planned: ReturnType<ManyPlan>) {
  const id = before._id;
  if (planned === undefined) return undefined;
  if (planned === "delete")
    return { id, set: undefined, action: "channel.delete", before: auditText(before), after: "" };
  const after = { ...before, ...planned };
  return { id, set: planned, action: getAuditAction(before, after), ...auditDifference(before, after) };
}

type Deps = {
  readonly mongo: Connection;
  readonly store: ChannelStore;
  readonly bus: Pick<Bus, "notify">;
  readonly audit: Pick<AuditOutbox, "recordWithin" | "recordAllWithin" | "sendSoon">;
};

/** Runs a write in a transaction with the next revision, then notifies relays; a write that returns undefined changes nothing. */
function createCommit({ mongo, store, bus, audit }: Deps) {
  return async function commit<Result>(
    channelId: number,
    write: (session: ClientSession) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const done = await inTransaction(mongo, async (session) => {
      const result = await write(session);
      return result === undefined ? undefined : { result, revision: await store.nextRevision(session) };
    });
    if (done) bus.notify(channelChanged, { revision: done.revision, channelId });
    audit.sendSoon();
    return done?.result;
  };
}
type Commit = ReturnType<typeof createCommit>;

function createBulkChange({ store, audit }: Deps, commit: Commit) {
  return {
    /**
     * Applies `plan` to each of the selected channels, all or nothing, and returns how many changed. Throws
     * channel_too_many, or the error of the plan or `check`.
     */
    async changeMany(actor: Actor, { selection, plan, check, takesFirst = false }: ManyChange): Promise<number> {
      const count = await commit(0, async (session) => {
        const found = await store.select(selection, CHANNELS_AT_ONCE_MAX + 1, session);
        if (found.length > CHANNELS_AT_ONCE_MAX && !takesFirst) throw tooMany();
        check?.(found);
        const planned = found.slice(0, CHANNELS_AT_ONCE_MAX).flatMap((before) => toManyRow(before, plan(before)) ?? []);
        const removed = planned.filter(({ set }) => set === undefined).map(({ id }) => id);
        const writes = planned.flatMap(({ id, set }) => (set === undefined ? [] : [{ id, set }]));
        await store.updateMany(writes, session);
        if (removed.length > 0) await store.removeMany(removed, session);
        await audit.recordAllWithin(
          session,
          actor,
          planned.map(({ id, action, before, after }) => ({ action, target: `channel:${id}`, before, after })),
        );
        return planned.length === 0 ? undefined : planned.length;
      });
      return count ?? 0;
    },
  };
}

/**
 * The only way to change the routing table: the write, the next revision and, for an admin's change, the audit row in
 * one transaction; then relays are notified.
 */
export function createChannelChanges(deps: Deps) {
  const { store, audit } = deps;
  const commit = createCommit(deps);
  const record = (session: ClientSession, actor: Actor, { id, ...row }: Row): Promise<void> =>
    audit.recordWithin(session, actor, { ...row, target: `channel:${id}` });
  return {
    ...createBulkChange(deps, commit),
    async create(actor: Actor, doc: ChannelDoc): Promise<void> {
      await commit(doc._id, async (session) => {
        await store.insert(doc, session);
        await record(session, actor, { action: "channel.create", id: doc._id, before: "", after: auditText(doc) });
        return doc;
      });
    },
    /**
     * Applies `plan` to the channel's current state and returns the changed channel; undefined when nothing changes.
     * Throws channel_not_found or the plan's error.
     */
    async update(
      id: number,
      plan: (current: ChannelDoc) => ChannelWrite | undefined,
      actor?: Actor,
    ): Promise<ChannelDoc | undefined> {
      const changed = await commit(id, async (session) => {
        const before = await store.get(id, session);
        const write = plan(before);
        if (!write) return undefined;
        const after = await store.update(id, write, session);
        const row = { action: getAuditAction(before, after), id, ...auditDifference(before, after) };
        if (actor) await record(session, actor, row);
        return after;
      });
      return changed;
    },
    /** Makes every relay fetch the table again. */
    async announce(): Promise<void> {
      await commit(0, async () => true);
    },
    /** Throws channel_not_found. */
    async remove(actor: Actor, id: number): Promise<void> {
      await commit(id, async (session) => {
        const doc = await store.get(id, session);
        await store.remove(id, session);
        await record(session, actor, { action: "channel.delete", id, before: auditText(doc), after: "" });
        return doc;
      });
    },
  };
}
