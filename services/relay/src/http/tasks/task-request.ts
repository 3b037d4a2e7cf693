import type { IncomingMessage } from "node:http";
import type { Admit } from "../../admission/admission.ts";
import type { Admitted } from "../../core/call/caller.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { readBody } from "../server/request-body.ts";

/** One request of a task API, before authentication. */
export type TaskRequest = {
  readonly request: IncomingMessage;
  readonly exchange: Exchange;
  readonly admit: () => Promise<Admitted>;
  readonly readBody: () => Promise<string>;
  readonly address: string;
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
  readonly bodyBytesMax: number;
};

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
  };
};
