import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { isNoResponse, RelayError } from "../../core/errors/relay-error.ts";

const TOO_MANY = 429;
const BUSY = "the upstreams of this group are saturated, try again later";

/**
 * With `global.hide_upstream_error_enabled`, callers get only the status and Retry-After. This includes 429: providers
 * name the operator's organization and limits in it.
 */
export function hideUpstreamError(error: RelayError, options: OptionsInForce): RelayError {
  // Where upstream returned no response, the error text is the relay's own.
  const isTheirs = error.upstream !== undefined && !isNoResponse(error.upstream);
  if (!isTheirs || !options.flag("global.hide_upstream_error_enabled")) return error;
  const { code, status, retryAfterSeconds } = error;
  const message = status === TOO_MANY ? BUSY : `upstream responded with status ${status}`;
  return new RelayError(code, message, {
    status,
    upstream: { message, type: undefined, code: undefined, param: undefined },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
