import type { RelayError } from "../../core/errors/relay-error.ts";

/** How servers report a path that they do not have; the same status with another text is about the model or what the call names. */
const UNKNOWN_PATH =
  /^\s*(404:? )?((page|file|path|route|endpoint|resource) )?not[ _]found\.?\s*$|^\s*(invalid url|cannot post|unexpected endpoint|unknown (url|path|route|endpoint|request url)|unrecognized request url|no route\b)/i;
/** The code of a response without readable content, as the HTML page of a server or proxy. */
const UNREADABLE = "bad_response_status_code";
const [NOT_FOUND, METHOD_NOT_ALLOWED, NOT_IMPLEMENTED] = [404, 405, 501];

/** Whether upstream's server does not have the endpoint of a call. */
export function isEndpointMissing({ status, upstream }: RelayError): boolean {
  if (!upstream) return false;
  if (status === METHOD_NOT_ALLOWED || status === NOT_IMPLEMENTED) return true;
  return status === NOT_FOUND && (upstream.code === UNREADABLE || UNKNOWN_PATH.test(upstream.message));
}
