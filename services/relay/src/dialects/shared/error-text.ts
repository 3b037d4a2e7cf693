import type { RelayError } from "../../core/errors/relay-error.ts";

/** The sentence a caller reads. Our own failures carry the request id, so that a screenshot is enough to find the call. */
export const errorText = (error: RelayError, requestId: string): string =>
  error.upstream ? error.message : `${error.message} (request id: ${requestId})`;
