import type { RelayError } from "../../core/errors/relay-error.ts";

/**
 * The error message a caller reads. The relay's own errors include the request id, so that a screenshot is enough to
 * find the call.
 */
export const errorText = (error: RelayError, requestId: string): string =>
  error.upstream ? error.message : `${error.message} (request id: ${requestId})`;
