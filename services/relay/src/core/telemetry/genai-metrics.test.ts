import { describe, expect, it } from "vitest";
import { getOperationName, getProviderName } from "./genai-metrics.ts";

describe("names of OpenTelemetry's GenAI conventions", () => {
  it.each([
    [1, "openai"],
    [3, "azure.ai.openai"],
    [14, "anthropic"],
    [33, "aws.bedrock"],
    [41, "gcp.vertex_ai"],
    [17, "alibaba_dashscope"],
    [8, "custom"],
    [99_999, "custom"],
  ])("names the provider of channel type %i %s", (type, name) => expect(getProviderName(type)).toBe(name));

  it.each([
    ["openai-chat", "chat"],
    ["anthropic-messages", "chat"],
    ["gemini", "generate_content"],
    ["openai-embeddings", "embeddings"],
    ["rerank", "rerank"],
  ])("names the operation of dialect %s %s", (dialect, operation) => expect(getOperationName(dialect)).toBe(operation));
});
