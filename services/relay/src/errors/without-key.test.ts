import { expect, it } from "vitest";
import { RelayError } from "./relay-error.ts";
import { withoutKey } from "./without-key.ts";

const failure = (message: string): RelayError =>
  new RelayError("upstream_error", message, {
    status: 401,
    retryAfterSeconds: 3,
    upstream: { message, type: "t", code: "c", param: undefined },
  });

it.each([
  ["0a1b2c3d4e5f", "the key 0a1b2c3d4e5f is wrong", "the key [key] is wrong"],
  ["AKIAEXAMPLE|secret/of/it|eu-west", "no AKIAEXAMPLE in eu-west", "no [key] in eu-west"],
])("a failure does not tell the key %s", (key, said, told) => {
  const error = withoutKey(failure(said), key);
  expect(error).toMatchObject({
    message: told,
    status: 401,
    retryAfterSeconds: 3,
    upstream: { message: told, code: "c" },
  });
});

it("a failure that does not name the key stays the same", () => {
  const error = failure("overloaded");
  expect(withoutKey(error, "0a1b2c3d4e5f")).toBe(error);
});
