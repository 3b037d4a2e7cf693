import { MODEL_API_PATHS, MODEL_API_PATTERNS } from "@turnpike/contract/api/models/model-api-paths";
import { describe, expect, it } from "vitest";
import { RelayError } from "../../core/errors/relay-error.ts";
import { getErrorWriter } from "../error-responses.ts";
import { findRoute } from "./route-table.ts";

const error = new RelayError("api_not_implemented", "no");
const getForm = (path: string, headers = {}): unknown => getErrorWriter(path, headers)(error, "req");
const OPENAI = { error: { type: "turnpike_error", code: "api_not_implemented" } };
const ANTHROPIC = { type: "error", error: { type: "api_error" } };
const GOOGLE = { error: { code: 501, status: "UNIMPLEMENTED" } };

describe("unimplemented provider API", () => {
  it.each<[string, string, object]>([
    ["GET", "/v1/files", OPENAI],
    ["POST", "/v1/fine-tunes/ft-1/cancel", OPENAI],
    ["POST", "/v1/edits", OPENAI],
    ["POST", "/v1/responses/resp_1/steps", OPENAI],
    ["GET", "/v1/chat/completions/chatcmpl-1", OPENAI],
    ["POST", "/v1/realtime/client_secrets", OPENAI],
    ["POST", "/v1/videos", OPENAI],
    ["POST", "/v1/messages/batches", ANTHROPIC],
    ["GET", "/v1/messages/batches/b1/results", ANTHROPIC],
    ["POST", "/v1beta/files", GOOGLE],
    ["POST", "/upload/v1beta/files", GOOGLE],
    ["PATCH", "/v1beta/cachedContents/1", GOOGLE],
  ])("is refused in the caller's format: %s %s", (method, path, form) => {
    expect(findRoute(method, path)?.kind).toBe("unimplemented");
    expect(getForm(path)).toMatchObject(form);
  });

  it.each([
    ["PUT", "/v1/responses/resp_1", "GET, DELETE"],
    ["GET", "/v1/responses/resp_1/cancel", "POST"],
    ["GET", "/v1/conversations", "POST"],
    ["PUT", "/v1/conversations/conv_1", "GET, POST, DELETE"],
    ["DELETE", "/v1/conversations/conv_1/items", "GET, POST"],
    ["POST", "/v1/conversations/conv_1/items/msg_1", "GET, DELETE"],
    ["DELETE", "/v1/models/gpt-4o", "GET, HEAD"],
    ["PUT", "/v1/models", "GET, HEAD"],
    ["PATCH", "/v1beta/models/gemini-2.5-flash", "GET, HEAD"],
  ])("is not a method that the provider has not either: %s %s", (method, path, allow) => {
    expect(findRoute(method, path)).toEqual({ kind: "wrong-method", allow });
  });

  it.each(["/v1/files", "/upload/v1/files", "/v1/cachedContents/1", "/v1/interactions", "/v1/models/nobody"])(
    "is refused in Google's format if its client uses v1: %s",
    (path) => expect(getForm(path, { "x-goog-api-key": "k" })).toMatchObject(GOOGLE),
  );

  it("is refused in the path's format if that is unambiguous, wherever the key is", () => {
    expect(getForm("/v1/chat/completions", { "x-goog-api-key": "k" })).toMatchObject(OPENAI);
  });

  it.each([
    "/v1/messages",
    "/v1/messages/count_tokens",
    "/v1beta/models/m:generateContent",
    "/v1/responses",
    "/v1/realtime",
  ])("does not include %s", (path) => expect(["call", "count", "realtime"]).toContain(findRoute("POST", path)?.kind));
});

describe("model name with a colon", () => {
  it.each([
    ["/v1beta/models/llama3:8b:generateContent", "llama3:8b", false],
    ["/v1/models/meta/llama3:free:streamGenerateContent", "meta/llama3:free", true],
  ])("is allowed in Google's URLs: %s", (path, model, stream) =>
    expect(findRoute("POST", path)).toMatchObject({ kind: "call", path: { model, stream } }),
  );

  it("is allowed in count requests, and is not mistaken for a method of Google's", () => {
    const route = findRoute("POST", "/v1beta/models/llama3:8b:countTokens");
    expect(route).toEqual({ kind: "count", form: "google", model: "llama3:8b" });
    expect(getForm("/v1/models/llama3:8b")).toMatchObject(OPENAI);
    expect(getForm("/v1/models/gemini-2.5-flash:generateContent")).toMatchObject(GOOGLE);
  });
});

describe("route table", () => {
  const declared = [
    ...Object.values(MODEL_API_PATHS),
    ...Object.values(MODEL_API_PATTERNS).flatMap(({ examples }) => [...examples]),
  ];
  it.each(declared)("serves %s", (path) => {
    const routes = ["GET", "POST"].map((method) => findRoute(method, path)?.kind);
    expect(routes.some((kind) => kind !== undefined && kind !== "unimplemented")).toBe(true);
  });

  it("has no route for a method that is inherited by every object", () =>
    expect(findRoute("POST", "/v1beta/models/m:constructor")).toBeUndefined());
});
