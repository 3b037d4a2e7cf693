import { describe, expect, it } from "vitest";
import { RelayError } from "../core/errors/relay-error.ts";
import {
  getSameAccountDelay,
  isChannelFailure,
  isRetryable,
  parseDisablingKeywords,
  shouldDisableChannel,
} from "./retry-rules.ts";

const refusal = (status: number, code?: string, type?: string, message = "no"): RelayError =>
  new RelayError("upstream_error", message, { status, upstream: { message, type, code, param: undefined } });

describe("retry rules", () => {
  it.each([
    [429, 1, true],
    [500, 1, true],
    [503, 1, true],
    [401, 1, true],
    [404, 1, true],
    [504, 1, false],
    [524, 1, false],
    [408, 1, false],
    [400, 1, false],
    [400, 14, true],
  ])("status %d of a type %d channel: %s", (status, type, expected) => {
    expect(isRetryable(refusal(status), type)).toBe(expected);
  });

  it.each([
    [24, refusal(400, "API_KEY_INVALID", "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")],
    [48, refusal(400, undefined, undefined, "Incorrect API key provided: [key]. You can obtain one at [address].")],
    [17, refusal(400, "Arrearage", undefined, "Access denied, please make sure your account is in good standing.")],
  ])("retries if a 400 is about the channel's key or account (type %i)", (type, error) => {
    expect(isRetryable(error, type)).toBe(true);
    expect(shouldDisableChannel(error, type, [])).toBe(true);
  });

  it("ignores the caller's text quoted in a refusal", () => {
    const quoted = refusal(400, "invalid_value", "invalid_request_error", "Invalid value: 'Incorrect API key'.");
    expect([isRetryable(quoted, 1), shouldDisableChannel(quoted, 1, [])]).toEqual([false, false]);
  });

  it.each([
    [refusal(500), true],
    [refusal(504, "no_answer"), true],
    [refusal(429), false],
    [refusal(401), false],
    [refusal(503, "account_deactivated"), false],
    [new RelayError("internal_error", "ours"), false],
  ])("detects failures independent of the key (%#)", (error, expected) => {
    expect(isChannelFailure(error)).toBe(expected);
  });

  it("retries if there was no response at all, and never for the relay's own refusals", () => {
    expect(isRetryable(refusal(504, "no_answer"), 1)).toBe(true);
    expect(isRetryable(new RelayError("insufficient_user_quota", "no"), 1)).toBe(false);
  });
});

describe("retry of the only account", () => {
  it("waits a moment, longer each time, and as long as upstream requests", () => {
    expect([1, 2, 3].map((attempts) => getSameAccountDelay(refusal(500), attempts))).toEqual([250, 500, 1000]);
    expect(getSameAccountDelay(refusal(504, "no_answer"), 1)).toBe(250);
    const limited = (retryAfterSeconds: number) =>
      new RelayError("upstream_error", "slow", {
        status: 429,
        retryAfterSeconds,
        upstream: { message: "slow", type: undefined, code: undefined, param: undefined },
      });
    expect(getSameAccountDelay(limited(2), 1)).toBe(2000);
    expect(getSameAccountDelay(limited(60), 1)).toBeUndefined();
  });

  it.each([
    ["the account is refused", refusal(429, "insufficient_quota", "insufficient_quota")],
    ["the request is refused", refusal(404)],
    ["the relay itself refuses", new RelayError("insufficient_user_quota", "no")],
  ])("is left out if %s", (_, error) => {
    expect(getSameAccountDelay(error, 1)).toBeUndefined();
  });
});

describe("automatic disabling", () => {
  it.each([
    [refusal(401), 1, true],
    [refusal(403), 1, false],
    [refusal(403), 24, true],
    [refusal(400, "account_deactivated"), 1, true],
    [refusal(429, undefined, "insufficient_quota"), 1, true],
    [refusal(400, undefined, undefined, "Your CREDIT balance is too low to go on"), 1, true],
    [refusal(500), 1, false],
    [new RelayError("invalid_api_key", "ours"), 1, false],
  ])("is requested only on definite signals (%#)", (error, type, expected) => {
    expect(shouldDisableChannel(error, type, ["your credit balance is too low"])).toBe(expected);
  });

  it("ignores a phrase of the caller's text that the refusal quotes", () => {
    const message = "Invalid value: 'Permission Denied'. Supported values are: 'system', 'user'.";
    const requests = (content: string, keywords: string[]) =>
      shouldDisableChannel(refusal(400, undefined, undefined, message), 1, keywords, {
        messages: [{ role: content, content: "hi" }],
      });
    expect(requests("permission DENIED", ["permission denied"])).toBe(false);
    expect(requests("user", ["permission denied"])).toBe(true);
    expect(requests("permission denied", ["permission denied", "supported values"])).toBe(true);
  });

  it("parses phrases line by line and trims them", () => {
    expect(parseDisablingKeywords("Credit balance\r\n\n  Permission denied \n")).toEqual([
      "credit balance",
      "permission denied",
    ]);
  });
});
