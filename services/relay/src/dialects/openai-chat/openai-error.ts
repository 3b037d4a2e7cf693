import type { RelayError } from "../../core/errors/relay-error.ts";
import { errorText } from "../shared/error-text.ts";

/** OpenAI's error body. Upstream errors keep upstream's text; the relay's own are of type `turnpike_error`. */
export function writeOpenAiError(error: RelayError, requestId: string): unknown {
  const { upstream } = error;
  return {
    error: {
      message: errorText(error, requestId),
      type: upstream ? (upstream.type ?? "upstream_error") : "turnpike_error",
      param: upstream?.param ?? error.param ?? null,
      code: upstream?.code ?? error.code,
    },
  };
}
