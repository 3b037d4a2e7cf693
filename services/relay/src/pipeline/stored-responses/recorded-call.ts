import type { Json } from "../../core/chat/chat.ts";
import type { JoinedConversation } from "./own-conversations.ts";
import { type LoggedRun } from "./event-log.ts";

/** The call whose response is recorded. */
export type Recorded = {
  readonly userId: number;
  /** The whole conversation, as items. */
  readonly getInput: () => readonly Json[];
  /** The stored response that the call continues, as the caller named it. */
  readonly previous: string | undefined;
  /** The conversation of which the response is a part. */
  readonly conversation?: JoinedConversation;
  /** False for a response that is only added to its conversation. */
  readonly isStored?: boolean;
  readonly background?: RecordedRun;
};

/** The run of a background response that is recorded. */
export type RecordedRun = LoggedRun & {
  readonly id: string;
  /** The number of the run's first event: the events of an earlier run precede it. */
  readonly firstNumber: number;
  /** Whether no other relay has taken the response over. */
  readonly isOwner: () => Promise<boolean>;
};
