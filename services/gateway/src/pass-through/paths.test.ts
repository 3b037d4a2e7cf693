import { listModelApiExamples } from "@turnpike/contract/api/model-api-paths";
import { expect, it } from "vitest";
import { isModelApi } from "./paths.ts";

it.each([
  "/v1/models",
  "/v1beta/models?key=k",
  "/v2/rerank",
  "/hf/v1/rerank",
  "/upload/v1beta/files",
  "/mj-fast/mj/task/1/fetch",
])("%s belongs to the relay", (url) => expect(isModelApi(url)).toBe(true));

it.each(["/", "/v2", "/v2/rerankers", "/upload", "/app/tokens", "/v1x"])("%s does not", (url) =>
  expect(isModelApi(url)).toBe(false),
);

it.each(listModelApiExamples())("passes %s, which the relay serves, to the relay", (path) =>
  expect(isModelApi(path)).toBe(true),
);
