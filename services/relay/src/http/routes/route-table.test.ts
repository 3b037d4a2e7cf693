import { describe, expect, it } from "vitest";
import { RelayError } from "../../core/errors/relay-error.ts";
import { getErrorWriter } from "../error-responses.ts";
import { findCountRoute, isUnimplemented, findModelRoute } from "./route-table.ts";

const error = new RelayError("api_not_implemented", "no");
const formOf = (path: string, headers = {}): unknown => getErrorWriter(path, headers)(error, "req");
const OPENAI = { error: { type: "turnpike_error", code: "api_not_implemented" } };
const ANTHROPIC = { type: "error", error: { type: "api_error" } };
const GOOGLE = { error: { code: 501, status: "UNIMPLEMENTED" } };

describe("unimplemented provider API", () => {
  it.each<[string, string, object]>([
    ["GET", "/v1/files", OPENAI],
    ["POST", "/v1/fine-tunes/ft-1/cancel", OPENAI],
    ["POST", "/v1/edits", OPENAI],
    ["DELETE", "/v1/models/gpt-4o", OPENAI],
    ["GET", "/v1/responses/resp_1", OPENAI],
    ["GET", "/v1/chat/completions/chatcmpl-1", OPENAI],
    ["POST", "/v1/realtime/client_secrets", OPENAI],
    ["POST", "/v1/videos", OPENAI],
    ["POST", "/v1/messages/batches", ANTHROPIC],
    ["GET", "/v1/messages/batches/b1/results", ANTHROPIC],
    ["POST", "/v1beta/files", GOOGLE],
    ["POST", "/upload/v1beta/files", GOOGLE],
    ["PATCH", "/v1beta/cachedContents/1", GOOGLE],
  ])("is refused in the caller's format: %s %s", (method, path, form) => {
    expect(isUnimplemented(method, path)).toBe(true);
    expect(formOf(path)).toMatchObject(form);
  });

  it.each(["/v1/files", "/upload/v1/files", "/v1/cachedContents/1", "/v1/interactions", "/v1/models/nobody"])(
    "is refused in Google's format if its client uses v1: %s",
    (path) => expect(formOf(path, { "x-goog-api-key": "k" })).toMatchObject(GOOGLE),
  );

  it("is refused in the path's format if that is unambiguous, wherever the key is", () => {
    expect(formOf("/v1/chat/completions", { "x-goog-api-key": "k" })).toMatchObject(OPENAI);
  });

  it.each([
    "/v1/messages",
    "/v1/messages/count_tokens",
    "/v1beta/models/m:generateContent",
    "/v1/responses",
    "/v1/realtime",
  ])("does not include %s", (path) => expect(isUnimplemented("POST", path)).toBe(false));
});

describe("model name with a colon", () => {
  it.each([
    ["/v1beta/models/llama3:8b:generateContent", "llama3:8b", false],
    ["/v1/models/meta/llama3:free:streamGenerateContent", "meta/llama3:free", true],
  ])("is allowed in Google's URLs: %s", (path, model, stream) =>
    expect(findModelRoute(path)?.facts).toEqual({ model, stream }),
  );

  it("is allowed in count requests, and is not mistaken for a method of Google's", () => {
    expect(findCountRoute("/v1beta/models/llama3:8b:countTokens")).toEqual({ form: "google", model: "llama3:8b" });
    expect(formOf("/v1/models/llama3:8b")).toMatchObject(OPENAI);
    expect(formOf("/v1/models/gemini-2.5-flash:generateContent")).toMatchObject(GOOGLE);
  });
});
