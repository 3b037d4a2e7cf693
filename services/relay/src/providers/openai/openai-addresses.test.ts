import { describe, expect, it } from "vitest";
import { targetFor } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";
import type { Provider } from "../contract/provider.ts";
import { openai } from "./__fixtures__/openai.ts";

const custom = findProvider(8) as Provider;

describe("URL of an OpenAI-compatible provider", () => {
  it.each([
    ["", "https://api.openai.com/v1/chat/completions"],
    ["http://localhost:9000", "http://localhost:9000/v1/chat/completions"],
    ["http://localhost:9000/v1", "http://localhost:9000/v1/chat/completions"],
    ["https://host/openai", "https://host/openai/v1/chat/completions"],
    [
      "https://gateway.ai.cloudflare.com/v1/account/gateway/openai",
      "https://gateway.ai.cloudflare.com/v1/account/gateway/openai/chat/completions",
    ],
  ])("of type 1 with base URL %j is %s", (baseUrl, url) => {
    expect(openai.address(targetFor({ baseUrl }), false).url).toBe(url);
  });

  it("is the whole base URL with the model inserted for type 8", () => {
    const target = targetFor({ channelType: 8, model: "a/b c", baseUrl: "http://host/x/{model}/chat/completions?v=1" });
    expect(custom.address(target, true).url).toBe("http://host/x/a%2Fb%20c/chat/completions?v=1");
    expect(custom.account?.modelList?.({ ...target, baseUrl: "http://host/x/chat/completions" }).url).toBe(
      "http://host/x/models",
    );
    expect(custom.account?.modelList?.({ ...target, baseUrl: "http://host/api/ask" }).url).toBe(
      "http://host/v1/models",
    );
  });

  it("is requested with the key, and the organization if one is set", () => {
    expect(openai.address(targetFor({}), false).headers).toEqual({
      "content-type": "application/json",
      authorization: "Bearer sk-upstream",
    });
    expect(openai.address(targetFor({ organization: "org-1" }), false).headers).toMatchObject({
      "openai-organization": "org-1",
    });
  });

  it("lists and parses the models", () => {
    expect(openai.account?.modelList?.(targetFor({})).url).toBe("https://api.openai.com/v1/models");
    expect(openai.account?.parseModelList?.({ data: [{ id: "a" }, { id: "b" }, {}] })).toEqual(["a", "b"]);
    expect(openai.account?.parseModelList?.("<html>")).toEqual([]);
  });
});
