import { describe, expect, it } from "vitest";
import { RelayError } from "../../core/errors/relay-error.ts";
import { readFailure, statusFailure } from "../../providers/shared/upstream-failure.ts";
import { isEndpointMissing } from "./missing-endpoint.ts";

const isMissing = (status: number, body: unknown): boolean => {
  const upstream = readFailure(body) ?? statusFailure(status);
  return isEndpointMissing(new RelayError("upstream_error", upstream.message, { status, upstream }));
};

describe("endpoint that upstream does not have", () => {
  it.each([
    ["FastAPI", 404, { detail: "Not Found" }],
    ["FastAPI, another method", 405, { detail: "Method Not Allowed" }],
    ["gin", 404, "404 page not found"],
    ["llama.cpp", 404, { error: { code: 404, message: "File Not Found", type: "not_found_error" } }],
    ["OpenAI", 404, { error: { message: "Invalid URL (POST /v1/responses/compact)", type: "invalid_request_error" } }],
    ["Azure", 404, { error: { code: "404", message: "Resource not found" } }],
    ["LM Studio", 404, { error: "Unexpected endpoint or method. (POST /v1/responses/compact)" }],
    ["Spring", 404, { status: 404, error: "Not Found", path: "/v1/responses/compact" }],
    ["Express", 404, "<pre>Cannot POST /v1/responses/compact</pre>"],
    ["nginx", 404, "<html><h1>404 Not Found</h1></html>"],
    ["an empty body", 404, ""],
    ["another server", 501, { error: { message: "not implemented" } }],
  ])("is recognized: %s", (_, status, body) => expect(isMissing(status, body)).toBe(true));

  it.each([
    [404, { error: { message: "Response with id 'resp_1' not found.", code: null } }],
    [404, { error: { message: "Previous response with id 'resp_1' not found.", code: "previous_response_not_found" } }],
    [404, { error: { message: "Item with id 'rs_1' not found. Items are not persisted when `store` is false." } }],
    [404, { error: { message: "The model `m` does not exist", code: "model_not_found" } }],
    [404, { error: { message: "The API deployment for this resource does not exist", code: "DeploymentNotFound" } }],
    [400, { error: { message: "Invalid URL (POST /v1/responses/compact)" } }],
    [503, "404 page not found"],
  ])("is not what upstream reports about the call: %i %j", (status, body) =>
    expect(isMissing(status, body)).toBe(false),
  );
});
