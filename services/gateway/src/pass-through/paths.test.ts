import { listModelApiExamples } from "@turnpike/contract/api/models/model-api-paths";
import { expect, it } from "vitest";
import { isModelApi } from "./paths.ts";

it.each([
  "/v1/models",
  "/v1beta/models?key=k",
  "/v2/rerank",
  "/hf/v1/rerank",
  "/upload/v1beta/files",
  "/mj-fast/mj/task/1/fetch",
])("passes %s to the relay", (url) => expect(isModelApi(url)).toBe(true));

it.each(["/", "/v2", "/v2/rerankers", "/upload", "/app/tokens", "/v1x"])("does not pass %s to the relay", (url) =>
  expect(isModelApi(url)).toBe(false),
);

it.each(listModelApiExamples())("passes %s, which the relay serves, to the relay", (path) =>
  expect(isModelApi(path)).toBe(true),
);

it.each(["/chat/completions", "/messages?beta=true", "/responses/", "/embeddings"])(
  "passes a POST to %s to the relay, as a client sends it whose base URL lacks /v1",
  (url) => expect([isModelApi(url, "POST"), isModelApi(url, "GET"), isModelApi(url)]).toEqual([true, false, false]),
);

it.each(["/api/user/login", "/login", "/chat"])("leaves a POST to %s to the console", (url) =>
  expect(isModelApi(url, "POST")).toBe(false),
);
