import type { Task } from "@turnpike/proto/billing/v1/task_service";
import type { Json } from "../../core/chat/chat.ts";
import type { Admitted } from "../../core/call/caller.ts";
import type { Choice } from "../../core/call/channel.ts";
import type { TaskPlatform } from "../wire/task-platform.ts";

/** A validated submission, ready to be sent. */
export type TaskCall = {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly address: string;
  readonly admitted: Admitted;
  readonly group: string;
  /** Submissions are never streamed. */
  readonly stream: false;
  readonly platform: TaskPlatform;
  readonly action: string;
  /** The model name by which it is routed and priced. */
  readonly model: string;
  /** Never charged, whatever its price. */
  readonly isFree: boolean;
  /** The caller's upper bound of the charge, in dollars. */
  readonly maxDollars?: number | undefined;
  /** Appended to the channel's base URL. */
  readonly path: string;
  readonly body: Json;
  readonly prompt: string;
  readonly customId: string;
  readonly botType: string;
  readonly clientState: string;
  /** The task that it continues: it must run at the same account. */
  readonly origin: Task | undefined;
  readonly tried: Choice[];
};
