import type { IncomingMessage } from "node:http";
import type { Admitted } from "../../core/call/caller.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

/** One request of a task API, before anybody knows who makes it. */
export type TaskRequest = {
  readonly request: IncomingMessage;
  readonly exchange: Exchange;
  readonly admit: () => Promise<Admitted>;
  readonly readBody: () => Promise<string>;
  readonly address: string;
};

/** A task's id as it was before it stood in an address; throws invalid_request for what is none. */
export function decodeId(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch (cause) {
    throw new RelayError("invalid_request", "the task id in the address cannot be read", { cause });
  }
}
