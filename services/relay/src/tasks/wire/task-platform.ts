import type { Json } from "../../core/chat/chat.ts";
import type { TaskState } from "@turnpike/proto/billing/v1/task_service";
import type { OutgoingRequest } from "../../upstream/upstream-call.ts";

/** The URL and key with which a task runs. */
export type TaskUpstream = { readonly baseUrl: string; readonly key: string; readonly proxy: string | undefined };

/** Upstream's response to a submission. */
export type SubmitResponse =
  | {
      readonly outcome: "accepted";
      readonly upstreamId: string;
      readonly state: TaskState;
      /** The body for the caller. */
      readonly body: string | Buffer;
    }
  | {
      readonly outcome: "refused";
      readonly message: string;
      readonly code: string;
      /** Another account may accept it: this one is full, or has no capacity to run tasks. */
      readonly canFailOver: boolean;
      /** The account itself is unusable. */
      readonly isUnusable: boolean;
      /** The caller's error if no account accepts it; undefined for an internal error. */
      readonly body: Buffer | undefined;
    };

/** The upstream API of one kind of task: pure functions over requests and responses. */
export type TaskPlatform = {
  readonly name: "mj" | "suno";
  readonly channelTypes: ReadonlySet<number>;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  /** Parses a 2xx response to a submission; undefined if it is not in this platform's format. */
  readonly readSubmit: (response: Json, raw: Buffer, action: string) => SubmitResponse | undefined;
  /** Polls the states of some tasks. */
  readonly pollRequest: (upstream: TaskUpstream, ids: readonly string[]) => OutgoingRequest;
  /** States by upstream's ids; undefined for an unreadable response. */
  readonly readPoll: (response: unknown) => ReadonlyMap<string, TaskState> | undefined;
};

export const POLL_TIMEOUT_MS = 15_000;

/** A JSON POST with one timeout for the whole response. */
export function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  timeoutMs: number,
): OutgoingRequest {
  const text = JSON.stringify(body);
  return {
    method: "POST",
    url,
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: text,
    firstByteMs: timeoutMs,
    idleMs: timeoutMs,
  };
}
