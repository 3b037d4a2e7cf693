import type { CreateMessageRequest, Recipient, UpdateMessageRequest } from "@turnpike/proto/messaging/v1/inbox_service";
import type { AuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import type { Actor } from "@turnpike/shared/grpc/context";
import { checkRecipientCount, readMessageText } from "./message-form.ts";
import type { MessageDoc } from "./message-model.ts";
import type { CountedMessage, MessageStore, Range, RecipientFilter } from "./message-store.ts";
import type { Recipients } from "./recipients.ts";

export type InboxService = ReturnType<typeof createInboxService>;

type Facts = Pick<MessageDoc, "title" | "format" | "totalRecipients">;
const toAuditFields = ({ title, format, totalRecipients }: Facts): string =>
  JSON.stringify({ title, format, recipients: totalRecipients });

/** Lists the recipients of a message with their current names; throws message_not_found, or unavailable while auth is down. */
const createRecipientList =
  ({ store, recipients }: { store: MessageStore; recipients: Recipients }) =>
  async (filter: RecipientFilter, range: Range, requestId: string) => {
    const { items, total } = await store.recipients(filter, range);
    const names = await recipients.names(
      items.map(({ userId }) => userId),
      requestId,
    );
    const withName = ({ userId, readAtSeconds }: (typeof items)[number]): Recipient => {
      const { username = "", displayName = "" } = names.get(userId) ?? {};
      return { userId, username, displayName, readAtSeconds };
    };
    return { items: items.map(withName), total };
  };

/** Messages from administrators to users, with their read state. */
export function createInboxService(deps: {
  store: MessageStore;
  recipients: Recipients;
  takeId: () => Promise<number>;
  audit: Pick<AuditOutbox, "record">;
  nowSeconds: () => number;
}) {
  const { store, recipients, takeId, audit, nowSeconds } = deps;
  const record = (actor: Actor, row: { action: string; id: number; before: string; after: string }): Promise<void> => {
    const { id, ...texts } = row;
    return audit.record(actor, { ...texts, target: `message:${id}` });
  };
  return {
    /** Sends a message; throws the form's error, message_recipient_unknown, or unavailable while auth is down. */
    async send(actor: Actor, request: CreateMessageRequest, requestId: string): Promise<CountedMessage> {
      const text = readMessageText(request);
      checkRecipientCount(request.userIds);
      const to = await recipients.check(request.userIds, requestId);
      const atSeconds = nowSeconds();
      const origin = { createdAtSeconds: atSeconds, updatedAtSeconds: atSeconds, createdBy: actor.userId };
      const message = { _id: await takeId(), ...text, ...origin, totalRecipients: to.length };
      await store.insert(message, to);
      await record(actor, { action: "message.create", id: message._id, before: "", after: toAuditFields(message) });
      return { ...message, readCount: 0 };
    },
    /** Delivers a system message, in HTML, to one inbox. */
    async deliver(userId: number, { title, html }: { title: string; html: string }): Promise<void> {
      const text = readMessageText({ title, content: html, format: "html" });
      const atSeconds = nowSeconds();
      const origin = { createdAtSeconds: atSeconds, updatedAtSeconds: atSeconds, createdBy: 0, totalRecipients: 1 };
      await store.insert({ _id: await takeId(), ...text, ...origin }, [userId]);
    },
    /** Changes a message; throws the form's error, or message_not_found. */
    async edit(actor: Actor, request: UpdateMessageRequest): Promise<CountedMessage> {
      const text = readMessageText(request);
      const before = await store.update(request.id, { ...text, updatedAtSeconds: nowSeconds() });
      const after = await store.get(request.id);
      await record(actor, {
        action: "message.update",
        id: after._id,
        before: toAuditFields(before),
        after: toAuditFields(after),
      });
      return after;
    },
    /** Deletes a message and all its copies; throws message_not_found. */
    async remove(actor: Actor, id: number): Promise<void> {
      const removed = await store.remove(id);
      await record(actor, { action: "message.delete", id, before: toAuditFields(removed), after: "" });
    },
    recipients: createRecipientList(deps),
    get: store.get,
    list: store.list,
    inbox: store.inbox,
    inboxMessage: store.inboxMessage,
    markRead: (userId: number, messageId: number): Promise<void> => store.markRead(userId, messageId, nowSeconds()),
    countUnread: store.countUnread,
  };
}
