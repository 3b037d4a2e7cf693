import { expect, it } from "vitest";
import { RelayError } from "../errors/relay-error.ts";
import { redactSecrets } from "./secret-redaction.ts";

const failure = (message: string): RelayError =>
  new RelayError("upstream_error", message, {
    status: 401,
    retryAfterSeconds: 3,
    upstream: { message, type: "t", code: "c", param: undefined },
  });

it.each([
  ["0a1b2c3d4e5f", "the key 0a1b2c3d4e5f is wrong", "the key [key] is wrong"],
  ["AKIAEXAMPLE|secret/of/it|eu-west", "no AKIAEXAMPLE in eu-west", "no [key] in eu-west"],
])("removes the key from an error: %s", (key, reported, usage) => {
  const error = redactSecrets(failure(reported), key);
  expect(error).toMatchObject({
    message: usage,
    status: 401,
    retryAfterSeconds: 3,
    upstream: { message: usage, code: "c" },
  });
});

it("removes the channel's host from an error", () => {
  const error = failure("no route to llm.internal.example:8443 on llm.internal.example");
  const reported = redactSecrets(error, "0a1b2c3d4e5f", "https://llm.internal.example:8443/v1");
  expect(reported.message).toBe("no route to [address] on [address]");
});

it("returns the same error if it does not contain the key", () => {
  const error = failure("overloaded");
  expect(redactSecrets(error, "0a1b2c3d4e5f")).toBe(error);
});

it("removes the key from the details for callers of the same format", () => {
  const details = { format: "gemini", value: [{ reason: "no 0a1b2c3d4e5f", metadata: ["0a1b2c3d4e5f"] }] } as const;
  const upstream = { message: "refused", type: "t", code: "c", param: undefined, details };
  const error = new RelayError("upstream_error", "refused", { status: 401, upstream });
  const reported = redactSecrets(error, "0a1b2c3d4e5f");
  expect(reported.upstream?.details?.value).toEqual([{ reason: "no [key]", metadata: ["[key]"] }]);
});
