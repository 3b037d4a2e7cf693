import type { AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import { CALL_TIMEOUT_MS, createOutboxWorker } from "../outbox/outbox-worker.ts";
import type { OpeningStore } from "./opening-store.ts";

export type AccountOpener = ReturnType<typeof createAccountOpener>;

/** Ensures that every user gets an account: retries each outbox entry until billing confirms it. */
export function createAccountOpener(deps: {
  store: OpeningStore;
  billing: Pick<GrpcClient<AccountServiceServer>, "openAccount">;
  log: Logger;
}) {
  const worker = createOutboxWorker({
    store: deps.store,
    idOf: ({ userId }) => userId,
    deliver: ({ userId, credit, reason, firstToken = "" }) =>
      deps.billing.openAccount({ userId, credit, kind: "gift", reason, firstToken }, { timeoutMs: CALL_TIMEOUT_MS }),
    words: { rows: "accounts", id: "userId" },
    log: deps.log,
  });
  return { openNow: worker.deliverNow, start: worker.start, stop: worker.stop };
}
