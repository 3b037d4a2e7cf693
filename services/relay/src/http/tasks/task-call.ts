import type { Task } from "@turnpike/proto/billing/v1/task_service";
import type { Json } from "../../core/chat/chat.ts";
import type { Admitted } from "../../core/call/caller.ts";
import type { Choice } from "../../core/call/channel.ts";
import type { TaskPlatform } from "./task-platform.ts";

/** One submission, checked and ready to be sent. */
export type TaskCall = {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly address: string;
  readonly admitted: Admitted;
  readonly group: string;
  /** A submission is answered at once. */
  readonly stream: false;
  readonly platform: TaskPlatform;
  readonly action: string;
  /** The name it is routed and priced by. */
  readonly model: string;
  /** Never charged, whatever its price. */
  readonly isFree: boolean;
  /** Behind the channel's address. */
  readonly path: string;
  readonly body: Json;
  readonly prompt: string;
  readonly customId: string;
  readonly botType: string;
  readonly clientState: string;
  /** The task it goes on from: it runs at the same account. */
  readonly origin: Task | undefined;
  readonly tried: Choice[];
};
