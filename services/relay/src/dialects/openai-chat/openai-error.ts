import { isQuotaError, type RelayError } from "../../core/errors/relay-error.ts";
import { errorText } from "../shared/error-text.ts";

const getOwnType = (error: RelayError): string => (isQuotaError(error) ? "insufficient_quota" : "turnpike_error");

/** OpenAI's error body. Upstream errors keep upstream's text; the relay's own are of type `turnpike_error`, and `insufficient_quota` where a
 * balance does not cover the call. */
export function writeOpenAiError(error: RelayError, requestId: string): unknown {
  const { upstream } = error;
  return {
    error: {
      message: errorText(error, requestId),
      type: upstream ? (upstream.type ?? "upstream_error") : getOwnType(error),
      param: upstream?.param ?? error.param ?? null,
      code: upstream?.code ?? error.code,
    },
  };
}
