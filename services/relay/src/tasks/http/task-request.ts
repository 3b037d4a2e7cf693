import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Admit } from "../../admission/admission.ts";
import type { Admitted } from "../../core/call/caller.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { IdempotentCalls } from "../../pipeline/idempotency/idempotent-calls.ts";
import { readIdempotencyKey } from "../../pipeline/prepare/read/idempotency-key.ts";
import { readMaxCharge } from "../../pipeline/prepare/read/max-charge.ts";
import { readBody } from "../../http/server/request-body.ts";

/** One request of a task API, before authentication. */
export type TaskRequest = {
  readonly request: IncomingMessage;
  readonly exchange: Exchange;
  readonly admit: () => Promise<Admitted>;
  readonly readBody: () => Promise<string>;
  readonly address: string;
  /** The caller's upper bound of the charge, in dollars. Throws invalid_request. */
  readonly readMaxDollars: () => number | undefined;
  /** Runs a submission, once for all requests with the same idempotency key; `body` is what was sent. */
  readonly runOnce: (admitted: Admitted, body: string, serve: (exchange: Exchange) => Promise<void>) => Promise<void>;
};

/** Decodes a task's id from a URL; throws invalid_request if it is invalid. */
export function decodeId(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch (cause) {
    throw new RelayError("invalid_request", "the task id in the URL cannot be decoded", { cause });
  }
}

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly idempotentCalls: IdempotentCalls;
  readonly bodyBytesMax: number;
};

const getFingerprint = (path: string, body: string): string =>
  createHash("sha256")
    .update(JSON.stringify([path, body]))
    .digest("base64url");

/** A request of a task API; `path` is the URL's, which authentication reads. */
export const createTaskRequest = (
  deps: Deps,
  request: IncomingMessage,
  exchange: Exchange,
  path: string,
): TaskRequest => {
  const address = deps.clientAddress(request);
  return {
    request,
    exchange,
    address,
    admit: async () => deps.admit(request.headers, path, address),
    readBody: () => readBody(request, deps.bodyBytesMax),
    readMaxDollars: () => readMaxCharge(request.headers),
    runOnce: (admitted, body, serve) => {
      const key = readIdempotencyKey(request.headers);
      if (key === undefined) return serve(exchange);
      const { userId } = admitted.caller.known.token;
      const call = { key, userId, requestId: exchange.requestId, fingerprint: getFingerprint(path, body), serve };
      // A task that upstream accepted before its relay died cannot be distinguished from one that was never sent.
      return deps.idempotentCalls.handle({ ...call, canRunAgain: false }, exchange);
    },
  };
};
