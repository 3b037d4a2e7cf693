import type { CreditServiceServer } from "@turnpike/proto/billing/v1/credit_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import { CALL_TIMEOUT_MS, createOutboxWorker } from "../outbox/outbox-worker.ts";
import type { CreditStore } from "./credit-store.ts";

export type CreditSender = ReturnType<typeof createCreditSender>;

/**
 * Sends the credits in the outbox to billing until it confirms each; billing posts a reference once, however often it
 * is sent.
 */
export function createCreditSender(deps: {
  store: CreditStore;
  billing: Pick<GrpcClient<CreditServiceServer>, "addCredit">;
  log: Logger;
}) {
  const worker = createOutboxWorker({
    store: deps.store,
    idOf: ({ reference }) => reference,
    deliver: ({ attempts: _attempts, ...credit }) => deps.billing.addCredit(credit, { timeoutMs: CALL_TIMEOUT_MS }),
    words: { rows: "credits", id: "reference" },
    log: deps.log,
  });
  return { sendNow: worker.deliverNow, start: worker.start, stop: worker.stop };
}
