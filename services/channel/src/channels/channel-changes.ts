import type { AuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import type { Bus } from "@turnpike/shared/events/bus";
import { channelChanged } from "@turnpike/shared/events/channel";
import type { Actor } from "@turnpike/shared/grpc/context";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import { auditActionOf, auditDifference, auditText } from "./channel-audit.ts";
import type { ChannelDoc } from "./channel-model.ts";
import type { ChannelStore, ChannelWrite } from "./channel-store.ts";

type Row = { readonly action: string; readonly id: number; readonly before: string; readonly after: string };
export type ChannelChanges = ReturnType<typeof createChannelChanges>;

/**
 * The one way the routing table changes: the write, the next revision and, when a person did it, the audit row in one transaction;
 * then relays are told.
 */
export function createChannelChanges(deps: {
  mongo: Connection;
  store: ChannelStore;
  bus: Pick<Bus, "notify">;
  audit: Pick<AuditOutbox, "recordWithin" | "sendSoon">;
}) {
  const { mongo, store, bus, audit } = deps;
  const record = (session: ClientSession, actor: Actor, { id, ...row }: Row): Promise<void> =>
    audit.recordWithin(session, actor, { ...row, target: `channel:${id}` });
  const commit = async <Result>(
    channelId: number,
    write: (session: ClientSession) => Promise<Result | undefined>,
  ): Promise<Result | undefined> => {
    const done = await inTransaction(mongo, async (session) => {
      const result = await write(session);
      return result === undefined ? undefined : { result, revision: await store.nextRevision(session) };
    });
    if (done) bus.notify(channelChanged, { revision: done.revision, channelId });
    audit.sendSoon();
    return done?.result;
  };
  return {
    async create(actor: Actor, doc: ChannelDoc): Promise<void> {
      await commit(doc._id, async (session) => {
        await store.insert(doc, session);
        await record(session, actor, { action: "channel.create", id: doc._id, before: "", after: auditText(doc) });
        return doc;
      });
    },
    /**
     * Writes what `plan` says, from the channel as it is then, and answers the channel after it; undefined when the plan is to
     * change nothing. Throws channel_not_found or what the plan throws.
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
        const row = { action: auditActionOf(before, after), id, ...auditDifference(before, after) };
        if (actor) await record(session, actor, row);
        return after;
      });
      return changed;
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
