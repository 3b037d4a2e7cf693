import type { CreateMessageRequest } from "@turnpike/proto/messaging/v1/inbox_service";
import { auditRecorded } from "@turnpike/shared/events/auth";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Actor } from "@turnpike/shared/grpc/context";
import { readMessageForm } from "./message-form.ts";
import type { MessageDoc } from "./message-model.ts";
import type { CountedMessage, MessageStore } from "./message-store.ts";
import type { Recipients } from "./recipients.ts";

export type InboxService = ReturnType<typeof createInboxService>;

/** Messages from admins to users, with who read them. */
export function createInboxService(deps: {
  store: MessageStore;
  recipients: Recipients;
  takeId: () => Promise<number>;
  bus: Pick<Bus, "notify">;
  nowSeconds: () => number;
}) {
  const { store, recipients, takeId, bus, nowSeconds } = deps;
  const factsOf = ({ title, format, totalRecipients }: MessageDoc): string =>
    JSON.stringify({ title, format, recipients: totalRecipients });
  const record = (actor: Actor, row: { action: string; id: number; before: string; after: string }): void => {
    const { id, ...texts } = row;
    const who = { actorId: actor.userId, actorName: actor.username, address: actor.address };
    bus.notify(auditRecorded, { ...who, ...texts, target: `message:${id}`, atSeconds: nowSeconds() });
  };
  return {
    /** Sends a message; throws what is wrong with the form, message_recipient_unknown, or unavailable while auth is away. */
    async send(actor: Actor, request: CreateMessageRequest, requestId: string): Promise<CountedMessage> {
      const { title, content, format, userIds } = readMessageForm(request);
      const to = await recipients.check(userIds, requestId);
      const about = { title, content, format, createdAtSeconds: nowSeconds(), createdBy: actor.userId };
      const message = { _id: await takeId(), ...about, totalRecipients: to.length };
      await store.insert(message, to);
      record(actor, { action: "message.create", id: message._id, before: "", after: factsOf(message) });
      return { ...message, readCount: 0 };
    },
    /** Takes a message from everybody; throws message_not_found. */
    async remove(actor: Actor, id: number): Promise<void> {
      const gone = await store.remove(id);
      record(actor, { action: "message.delete", id, before: factsOf(gone), after: "" });
    },
    list: store.list,
    inbox: store.inbox,
    markRead: (userId: number, messageId: number): Promise<void> => store.markRead(userId, messageId, nowSeconds()),
    countUnread: store.countUnread,
  };
}
