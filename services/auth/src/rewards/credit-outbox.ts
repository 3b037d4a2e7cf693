import type { CreditServiceServer } from "@turnpike/proto/billing/v1/credit_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import { createOutbox } from "@turnpike/shared/outbox/outbox";
import { createOutboxStore } from "@turnpike/shared/outbox/outbox-store";
import type { ClientSession, Connection } from "mongoose";
import { type CreditDoc, creditModel } from "./credit-model.ts";

/** One credit to grant. `reference` names its reason, so that it is granted once. */
export type Credit = {
  readonly reference: string;
  readonly userId: number;
  readonly kind: "check-in" | "invitation" | "transfer";
  readonly amount: number;
  readonly reason: string;
};
export type CreditOutbox = ReturnType<typeof createCreditOutbox>;

const CALL_TIMEOUT_MS = 2_000;

/** Credits until billing confirms each; billing posts a reference once, however often it is sent. */
export function createCreditOutbox(deps: {
  mongo: Connection;
  billing: Pick<GrpcClient<CreditServiceServer>, "addCredit">;
  log: Logger;
}) {
  const collection = deps.mongo.collection<CreditDoc>(creditModel(deps.mongo).collection.name);
  const store = createOutboxStore({ collection });
  const outbox = createOutbox({
    name: "credits",
    store,
    deliver: ({ _id: reference, userId, kind, amount, reason }) =>
      deps.billing.addCredit({ reference, userId, kind, amount, reason }, { timeoutMs: CALL_TIMEOUT_MS }),
    log: deps.log,
  });
  return {
    /** Stores a credit in the transaction that earned it. */
    add: ({ reference, ...credit }: Credit, session: ClientSession): Promise<void> =>
      store.add([{ _id: reference, ...credit }], session),
    /** Tries a credit at once; never throws. */
    sendNow: outbox.deliverNow,
    start: outbox.start,
    stop: outbox.stop,
  };
}
