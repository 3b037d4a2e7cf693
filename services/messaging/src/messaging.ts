import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import type { Bus } from "@turnpike/shared/events/bus";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import { takeNumbers } from "@turnpike/shared/mongo/mongo";
import { withStoreFaults } from "@turnpike/shared/mongo/store-faults";
import type { Connection } from "mongoose";
import { inboxHandlers } from "./inbox/inbox-handlers.ts";
import { createInboxService } from "./inbox/inbox-service.ts";
import { messageModel, receiptModel } from "./inbox/message-model.ts";
import { createMessageStore } from "./inbox/message-store.ts";
import { createRecipients } from "./inbox/recipients.ts";

type Deps = {
  readonly mongo: Connection;
  readonly bus: Bus;
  readonly auth: Pick<GrpcClient<AuthServiceServer>, "getUser" | "listUsers">;
  readonly nowSeconds: () => number;
};

/** Joins the service's objects: its rpcs. */
export function createMessaging({ mongo, bus, auth, nowSeconds }: Deps) {
  const store = createMessageStore({ mongo, messages: messageModel(mongo), receipts: receiptModel(mongo) });
  const takeId = (): Promise<number> => takeNumbers(mongo, "messages");
  const inbox = createInboxService({ store, recipients: createRecipients(auth), takeId, bus, nowSeconds });
  return { handlers: withStoreFaults(inboxHandlers(inbox)) };
}
