import type { Json } from "../../core/chat/chat.ts";
import type { TaskState } from "@turnpike/proto/billing/v1/task_service";
import type { OutgoingRequest } from "../../upstream/upstream-client.ts";

/** Where and with what key a task runs. */
export type TaskUpstream = { readonly baseUrl: string; readonly key: string; readonly proxy: string | undefined };

/** What upstream said to a submission. */
export type SubmitAnswer =
  | {
      readonly outcome: "accepted";
      readonly upstreamId: string;
      readonly state: TaskState;
      /** The body as the caller gets it. */
      readonly body: string | Buffer;
    }
  | {
      readonly outcome: "refused";
      readonly message: string;
      readonly code: string;
      /** Another account may take it: this one is full, or has nobody to draw. */
      readonly isElsewhere: boolean;
      /** The account itself is unfit. */
      readonly isUnfit: boolean;
      /** What the caller gets when nobody takes it; undefined for an error of ours. */
      readonly body: Buffer | undefined;
    };

/** How one kind of task speaks to its upstreams: pure functions over what is sent and received. */
export type TaskPlatform = {
  readonly name: "mj" | "suno";
  readonly channelTypes: ReadonlySet<number>;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  /** Reads a 2xx answer to a submission; undefined when it is none of this platform's. */
  readonly readSubmit: (answer: Json, raw: Buffer, action: string) => SubmitAnswer | undefined;
  /** Asks how some tasks are. */
  readonly pollRequest: (upstream: TaskUpstream, ids: readonly string[]) => OutgoingRequest;
  /** States by upstream's ids; undefined for an answer that cannot be read. */
  readonly readPoll: (answer: unknown) => ReadonlyMap<string, TaskState> | undefined;
};

export const POLL_TIMEOUT_MS = 15_000;

/** A POST of JSON with one limit for all of its answer. */
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
