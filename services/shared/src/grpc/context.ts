import type { Logger } from "../log/log.ts";

/** The user behind a call, as the gateway verified them. */
export type Actor = {
  readonly userId: number;
  readonly username: string;
  readonly role: number;
  readonly address: string;
};

/** What a handler knows about the call it serves. `actor` is undefined for calls between services. */
export type CallContext = {
  readonly requestId: string;
  readonly actor: Actor | undefined;
  readonly log: Logger;
  readonly signal: AbortSignal;
};

export const REQUEST_ID_KEY = "x-request-id";
export const ACTOR_KEY = "x-actor-bin";
export const AUTHORIZATION_KEY = "authorization";
