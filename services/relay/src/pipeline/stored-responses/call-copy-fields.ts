import type { RelayCall } from "../../core/call/relay-call.ts";

/** The fields of a call that are stored as they are. */
export type CopiedFields = Pick<
  RelayCall,
  | "requestId"
  | "startedAtMs"
  | "address"
  | "clientHeaders"
  | "sessionId"
  | "model"
  | "fallbackModels"
  | "stream"
  | "includeUsage"
  | "includeCharge"
  | "maxOutputTokens"
  | "maxDollars"
>;

/** A background call as it is stored, so that another relay can run it. It holds no key: the token is looked up again. */
export type CallCopy = CopiedFields & {
  readonly bodyText: string;
  /** The body's input is the input of the response, which is stored next to the copy. */
  readonly isInputShared: boolean;
  readonly tokenId: number;
  readonly pinnedChannelId?: number | undefined;
  readonly previous?: string | undefined;
  readonly conversationId?: string | undefined;
  /** How many items of the input precede the call's own ones. */
  readonly earlierCount: number;
};
