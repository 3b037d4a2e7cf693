import { isQuotaError, type RelayError } from "../../core/errors/relay-error.ts";
import { getOpenAiWords } from "./openai-words.ts";
import { errorText } from "../shared/error-text.ts";

const getOwnType = (error: RelayError): string => (isQuotaError(error) ? "insufficient_quota" : "turnpike_error");

/** OpenAI's error body. Upstream errors keep upstream's text, with OpenAI's code for what clients react to; the relay's own are of type `turnpike_error`, and `insufficient_quota` where a
 * balance does not cover the call. */
export function writeOpenAiError(error: RelayError, requestId: string): unknown {
  const { upstream } = error;
  const words = upstream ? getOpenAiWords(error) : { type: getOwnType(error), code: error.code };
  return {
    error: {
      message: errorText(error, requestId),
      type: words.type,
      param: upstream?.param ?? error.param ?? null,
      code: words.code,
    },
  };
}
