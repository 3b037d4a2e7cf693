import { describe, expect, it } from "vitest";
import { readSessionId } from "./session-id.ts";

describe("session of a call", () => {
  it.each(["x-claude-code-session-id", "session-id", "session_id", "x-session-id", "x-litellm-session-id"])(
    "is read from %s, and refused by that name if it is too long",
    (name) => {
      expect(
        readSessionId({ [name]: "s1", "x-litellm-session-id": name.startsWith("x-litellm") ? "s1" : "other" }),
      ).toBe("s1");
      expect(() => readSessionId({ [name]: "x".repeat(257) })).toThrow(
        expect.objectContaining({ code: "invalid_request", param: name }),
      );
    },
  );

  it("is none without a header, or if it is empty", () => {
    expect(readSessionId({})).toBeUndefined();
    expect(readSessionId({ "session-id": "" })).toBeUndefined();
  });
});
