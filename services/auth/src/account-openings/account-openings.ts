import type { AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import { createOutbox } from "@turnpike/shared/outbox/outbox";
import { createOutboxStore } from "@turnpike/shared/outbox/outbox-store";
import type { ClientSession, Connection } from "mongoose";
import { type OpeningDoc, openingModel } from "./opening-model.ts";

export type Opening = {
  readonly userId: number;
  readonly credit: number;
  readonly reason: string;
  /** Name of the user's first token; empty for none. */
  readonly firstToken?: string;
};
export type AccountOpenings = ReturnType<typeof createAccountOpenings>;

const CALL_TIMEOUT_MS = 2_000;

/** Ensures that every user gets an account: an opening waits in an outbox until billing confirms it. */
export function createAccountOpenings(deps: {
  mongo: Connection;
  billing: Pick<GrpcClient<AccountServiceServer>, "openAccount">;
  log: Logger;
}) {
  const collection = deps.mongo.collection<OpeningDoc>(openingModel(deps.mongo).collection.name);
  const store = createOutboxStore({ collection });
  const outbox = createOutbox({
    name: "account openings",
    store,
    deliver: ({ _id: userId, credit, reason, firstToken = "" }) =>
      deps.billing.openAccount({ userId, credit, kind: "gift", reason, firstToken }, { timeoutMs: CALL_TIMEOUT_MS }),
    log: deps.log,
  });
  return {
    /** Stores an opening in the transaction that creates its user. */
    add: ({ userId, credit, reason, firstToken = "" }: Opening, session: ClientSession): Promise<void> =>
      store.add([{ _id: userId, credit, reason, firstToken }], session),
    /** Tries a user's pending opening at once; never throws. */
    openNow: outbox.deliverNow,
    start: outbox.start,
    stop: outbox.stop,
  };
}
