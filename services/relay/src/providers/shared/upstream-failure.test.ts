import { describe, expect, it } from "vitest";
import { readFailure, redact, statusFailure, getFailureStatus } from "./upstream-failure.ts";

describe("upstream error text", () => {
  it.each([
    ["Incorrect API key provided: sk-proj-abcd****wxyz.", "Incorrect API key provided: [key]."],
    ["key AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY is invalid", "key [key] is invalid"],
    ["GET https://10.0.0.5:8443/v1?key=abcdef failed", "GET [address] failed"],
    ["connect ECONNREFUSED 10.0.0.5:8080", "connect ECONNREFUSED [address]"],
    ["Bearer abcdefgh was refused", "Bearer [key] was refused"],
    ["The model `gpt-9` does not exist", "The model `gpt-9` does not exist"],
  ])("never contains keys or addresses: %s", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    [{ error: { message: "a", type: "t", code: 429, param: null } }, { message: "a", type: "t", code: "429" }],
    [
      { error: "b", code: "c" },
      { message: "b", code: "c" },
    ],
    [{ message: "d" }, { message: "d" }],
    [{ msg: "e" }, { message: "e" }],
    [{ detail: "f" }, { message: "f" }],
    [{ header: { message: "g" } }, { message: "g" }],
    [{ response: { error: { message: "h" } } }, { message: "h" }],
  ])("is found in %j", (body, expected) => {
    expect(readFailure(body)).toMatchObject(expected);
  });

  it.each([["<html>nginx</html>"], [undefined], [{}], [[]], [{ error: null }]])("is not made up for %j", (body) => {
    expect(readFailure(body)).toBeUndefined();
  });

  it("is replaced by the status if there is none", () => {
    expect(statusFailure(502).message).toBe("bad response status code 502");
  });

  it.each([
    [{ type: "rate_limit_error", code: undefined }, 429],
    [{ type: "overloaded_error", code: undefined }, 529],
    [{ type: "billing_error", code: undefined }, 402],
    [{ type: "invalid_request_error", code: "invalid_api_key" }, 401],
    [{ type: "server_error", code: undefined }, 502],
    [{ type: undefined, code: "503" }, 503],
    [{ type: undefined, code: "99" }, 502],
  ])("determines the status of %j", (words, status) => {
    expect(getFailureStatus({ message: "m", param: undefined, ...words })).toBe(status);
  });
});
