import type { IncomingHttpHeaders } from "node:http";
import type { Logger } from "@turnpike/shared/log/log";
import type { Admit } from "../../admission/admission.ts";
import type { HandleCall } from "../../core/call/exchange.ts";
import type { FailureLog } from "../../pipeline/settle/failure-log.ts";
import type { ConversationMemory } from "./conversation-memory.ts";

export type SocketDeps = {
  readonly admit: Admit;
  readonly handleCall: HandleCall;
  readonly failures: FailureLog;
  readonly memory: ConversationMemory;
  readonly bodyBytesMax: number;
  readonly idleMs: number;
  readonly now: () => number;
  readonly log: Logger;
};

/** The client of a connection, as its handshake named it. */
export type SocketClient = {
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly address: string;
};
