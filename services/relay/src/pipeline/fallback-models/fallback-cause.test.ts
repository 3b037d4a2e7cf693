import { describe, expect, it } from "vitest";
import { RelayError, type RelayErrorCode } from "../../core/errors/relay-error.ts";
import { getFallbackCause, selectError } from "./fallback-cause.ts";

const refuse = (message: string, code?: string, status = 400): RelayError =>
  new RelayError("upstream_error", message, {
    status,
    upstream: { message, type: "invalid_request_error", code, param: undefined },
  });

describe("cause of a failure", () => {
  it.each([
    ["This model's maximum context length is 128000 tokens.", "context_length_exceeded"],
    ["prompt is too long: 213462 tokens > 200000 maximum", undefined],
    ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", undefined],
    ["Input is too long for requested model.", undefined],
  ])("is the context length: %s", (message, code) => {
    expect(getFallbackCause(refuse(message, code))).toBe("context_length");
  });

  it.each([
    ["The response was filtered due to the prompt triggering Azure's content management policy.", "content_filter"],
    ["Output blocked by content filtering policy", undefined],
    ["Your request was rejected as a result of our safety system.", "content_policy_violation"],
    ["Your request was rejected.", "moderation_blocked"],
    ["the prompt was blocked by the provider: PROHIBITED_CONTENT", undefined],
  ])("is the content: %s", (message, code) => {
    expect(getFallbackCause(refuse(message, code))).toBe("content_filter");
  });

  it.each([
    ["Unknown parameter: 'safety_identifier'.", "unknown_parameter"],
    ["temperature: must be at most 2", undefined],
  ])("is none, the request itself being wrong: %s", (message, code) => {
    expect(getFallbackCause(refuse(message, code))).toBeUndefined();
  });
});

const refuseModel = (code: RelayErrorCode, param: string | undefined = "model"): RelayError =>
  new RelayError(code, `${code} of ${param}`, param === undefined ? {} : { param });

describe("model that the gateway refuses", () => {
  it.each(["model_not_found", "model_not_allowed", "model_price_error", "invalid_request"] as const)(
    "is unavailable: %s",
    (code) => expect(getFallbackCause(refuseModel(code))).toBe("unavailable"),
  );

  it.each(["models", "fallbacks", "x-turnpike-fallbacks", "tools.1.model"])(
    "fails the request itself where %s names it",
    (param) => {
      for (const code of ["model_not_found", "model_not_allowed"] as const)
        expect(getFallbackCause(refuseModel(code, param))).toBeUndefined();
    },
  );

  it("does not replace the error of an earlier model", () => {
    const [unpriced, unknown] = [refuseModel("model_price_error"), refuseModel("model_not_found")];
    const [unserved, failed] = [refuseModel("no_available_channel", undefined), refuse("failed", undefined, 503)];
    expect(selectError(undefined, unpriced)).toBe(unpriced);
    expect(selectError(unpriced, unknown)).toBe(unpriced);
    expect(selectError(unpriced, unserved)).toBe(unpriced);
    expect(selectError(failed, unpriced)).toBe(failed);
    expect(selectError(unserved, unpriced)).toBe(unserved);
    expect(selectError(unpriced, failed)).toBe(failed);
    expect(selectError(failed, unserved)).toBe(unserved);
  });
});
