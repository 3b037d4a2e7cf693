/**
 * One error of `/api`. `{{name}}` in a sentence is filled from the error's params.
 *
 * `http` is the HTTP status of the response. Business failures are HTTP 200 with `success: false`, as clients of this
 * family of gateways expect; only 400 (unreadable body), 401, 403, 429 and 5xx are real statuses.
 */
export type ErrorRow = { readonly grpc: number; readonly http: number; readonly zh: string; readonly en: string };

export const INVALID_ARGUMENT = 3;
export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;
export const PERMISSION_DENIED = 7;
export const RESOURCE_EXHAUSTED = 8;
export const FAILED_PRECONDITION = 9;
export const ABORTED = 10;
export const INTERNAL = 13;
export const UNAVAILABLE = 14;
export const UNAUTHENTICATED = 16;

/** A failure that `/api` returns with HTTP 200. */
export const business = (grpc: number, zh: string, en: string): ErrorRow => ({ grpc, http: 200, zh, en });
