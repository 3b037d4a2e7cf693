import type { IncomingMessage } from "node:http";
import type { Admitted } from "../../core/call/caller.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

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
