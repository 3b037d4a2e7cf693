import type { ServerResponse } from "node:http";

type PassThroughError = {
  readonly status: 400 | 401 | 403 | 502 | 503;
  readonly code: string;
  readonly message: string;
};

/** The relay is unreachable: nothing was sent, so a retry is safe. */
export const RELAY_UNAVAILABLE: PassThroughError = {
  status: 503,
  code: "relay_unavailable",
  message: "The relay cannot be reached right now, please try again",
};

/** The relay aborted before responding. */
export const RELAY_BROKE_OFF: PassThroughError = {
  status: 502,
  code: "relay_failed",
  message: "The relay closed the connection before it responded",
};

/** The gateway stops, and ends what outlives its grace period. */
export const GATEWAY_STOPPING = {
  status: 503,
  code: "stream_interrupted",
  message: "The gateway is stopping, please try again",
} as const;

/** The path or a header contains bytes that cannot be sent on. */
export const NOT_PASSABLE: PassThroughError = {
  status: 400,
  code: "invalid_request",
  message: "The request contains characters that cannot be passed on",
};

/** A page of another site tried to use the playground with the reader's session. */
export const CROSS_SITE: PassThroughError = {
  status: 403,
  code: "cross_site_refused",
  message: "Requests from other sites are refused",
};

/** No user is signed in, so the playground has no owner. */
export const NOT_SIGNED_IN: PassThroughError = {
  status: 401,
  code: "unauthenticated",
  message: "Not signed in, or the session has expired",
};

/** The playground belongs to the console: programs use tokens. */
export const SESSION_REQUIRED: PassThroughError = {
  status: 400,
  code: "access_token_not_supported",
  message: "The playground is for signed-in users; access tokens are not supported",
};

/** The caller cannot be identified at the moment. */
export const AUTH_UNAVAILABLE: PassThroughError = {
  status: 503,
  code: "service_unavailable",
  message: "The caller cannot be identified at the moment, please try again",
};

/** The error body that clients of the public API read. */
export const relayErrorBody = ({ code, message }: PassThroughError, requestId: string): string =>
  JSON.stringify({
    error: { message: `${message} (request id: ${requestId})`, type: "turnpike_error", param: null, code },
  });

/** Sends an error in the form that clients of the public API read. */
export function sendRelayError(response: ServerResponse, error: PassThroughError, requestId: string): void {
  const body = relayErrorBody(error, requestId);
  response.writeHead(error.status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId,
    ...(error.status === 503 ? { "retry-after": "1" } : {}),
  });
  response.end(body);
}
