import { auditRecorded } from "@turnpike/shared/events/auth";
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
 * The one way the routing table changes: the write and the next revision in one transaction, then relays are told and, when a
 * person did it, the audit log.
 */
export function createChannelChanges(deps: {
  mongo: Connection;
  store: ChannelStore;
  bus: Pick<Bus, "notify">;
  nowSeconds: () => number;
}) {
  const { mongo, store, bus, nowSeconds } = deps;
  const record = (actor: Actor, { id, ...row }: Row): void => {
    const who = { actorId: actor.userId, actorName: actor.username, address: actor.address };
    bus.notify(auditRecorded, { ...who, ...row, target: `channel:${id}`, atSeconds: nowSeconds() });
  };
  const commit = async <Result>(
    channelId: number,
    write: (session: ClientSession) => Promise<Result | undefined>,
  ): Promise<Result | undefined> => {
    const done = await inTransaction(mongo, async (session) => {
      const result = await write(session);
      return result === undefined ? undefined : { result, revision: await store.nextRevision(session) };
    });
    if (done) bus.notify(channelChanged, { revision: done.revision, channelId });
    return done?.result;
  };
  return {
    async create(actor: Actor, doc: ChannelDoc): Promise<void> {
      await commit(doc._id, async (session) => {
        await store.insert(doc, session);
        return doc;
      });
      record(actor, { action: "channel.create", id: doc._id, before: "", after: auditText(doc) });
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
        return write && { before, after: await store.update(id, write, session) };
      });
      if (!changed) return undefined;
      const { before, after } = changed;
      if (actor) record(actor, { action: auditActionOf(before, after), id, ...auditDifference(before, after) });
      return after;
    },
    /** Throws channel_not_found. */
    async remove(actor: Actor, id: number): Promise<void> {
      const gone = await commit(id, async (session) => {
        const doc = await store.get(id, session);
        await store.remove(id, session);
        return doc;
      });
      if (gone) record(actor, { action: "channel.delete", id, before: auditText(gone), after: "" });
    },
  };
}
