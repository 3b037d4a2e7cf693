import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { targetFor } from "../shared/fixtures.ts";
import { OPENAI_COMPATIBLE } from "./openai-compatible.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { provider, REQUEST, getStream } from "./fixtures.ts";

const target = (type: number, given: Partial<Target> = {}): Target =>
  targetFor({ channelType: type, model: "m", ...given });
const GATEWAY = "https://gateway.ai.cloudflare.com/v1/account/gw";

describe("chat URL", () => {
  it.each<[number, Partial<Target>, string]>([
    [
      3,
      { baseUrl: "https://acme.openai.azure.com", model: "gpt-4.1" },
      "https://acme.openai.azure.com/openai/deployments/gpt-4.1/chat/completions?api-version=2025-04-01-preview",
    ],
    [
      3,
      { baseUrl: "https://a.b", model: "o3", other: "2024-10-21" },
      "https://a.b/openai/deployments/o3/chat/completions?api-version=2024-10-21",
    ],
    [
      3,
      { baseUrl: "https://a.b", model: "o3", other: "2024-10-21", clientHeaders: { "api-version": "2025-01-01" } },
      "https://a.b/openai/deployments/o3/chat/completions?api-version=2025-01-01",
    ],
    [3, { baseUrl: "https://a.b/openai/v1" }, "https://a.b/openai/v1/chat/completions"],
    [
      3,
      { baseUrl: `${GATEWAY}/azure-openai/acme`, model: "d", other: "v" },
      `${GATEWAY}/azure-openai/acme/d/chat/completions?api-version=v`,
    ],
    [4, {}, "http://localhost:11434/v1/chat/completions"],
    [17, {}, "https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions"],
    [17, { baseUrl: "https://host/compatible-mode/v1" }, "https://host/compatible-mode/v1/chat/completions"],
    [19, {}, "https://api.360.cn/v1/chat/completions"],
    [20, {}, "https://openrouter.ai/api/v1/chat/completions"],
    [22, {}, "https://fastgpt.run/api/openapi/v1/chat/completions"],
    [22, { baseUrl: "http://fastgpt:3000/api" }, "http://fastgpt:3000/api/v1/chat/completions"],
    [25, {}, "https://api.moonshot.cn/v1/chat/completions"],
    [26, {}, "https://open.bigmodel.cn/api/paas/v4/chat/completions"],
    [26, { baseUrl: "https://host/api/paas/v4" }, "https://host/api/paas/v4/chat/completions"],
    [26, { baseUrl: "http://api" }, "http://api/api/paas/v4/chat/completions"],
    [27, {}, "https://api.perplexity.ai/chat/completions"],
    [31, {}, "https://api.lingyiwanwu.com/v1/chat/completions"],
    [35, {}, "https://api.minimax.chat/v1/text/chatcompletion_v2"],
    [39, { other: "acc" }, "https://api.cloudflare.com/client/v4/accounts/acc/ai/v1/chat/completions"],
    [39, { baseUrl: `${GATEWAY}/workers-ai` }, `${GATEWAY}/workers-ai/v1/chat/completions`],
    [40, {}, "https://api.siliconflow.cn/v1/chat/completions"],
    [42, {}, "https://api.mistral.ai/v1/chat/completions"],
    [43, {}, "https://api.deepseek.com/chat/completions"],
    [43, { baseUrl: "https://api.deepseek.com/v1" }, "https://api.deepseek.com/v1/chat/completions"],
    [45, {}, "https://ark.cn-beijing.volces.com/api/v3/chat/completions"],
    [45, { model: "bot-2025" }, "https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions"],
    [46, {}, "https://qianfan.baidubce.com/v2/chat/completions"],
    [47, { baseUrl: "http://xinference:9997" }, "http://xinference:9997/v1/chat/completions"],
    [48, {}, "https://api.x.ai/v1/chat/completions"],
    [49, {}, "https://models.github.ai/inference/chat/completions"],
  ])("of type %i with %j is %s", (type, given, url) => {
    const place = provider(type).address(target(type, given), false);
    expect(place.url).toBe(url);
    expect(provider(type).buildRequest(REQUEST, target(type, given)).url).toBe(url);
  });
});

describe("headers", () => {
  it.each<[number, Partial<Target>, Json]>([
    [3, {}, { "api-key": "sk-upstream" }],
    [17, {}, { authorization: "Bearer sk-upstream" }],
    [17, { other: "pdf_extracter" }, { authorization: "Bearer sk-upstream", "x-dashscope-plugin": "pdf_extracter" }],
    [20, {}, { authorization: "Bearer sk-upstream", "x-title": "Turnpike" }],
    [26, { key: "id.secret" }, { authorization: "Bearer id.secret" }],
    [46, { key: "bce-v3/a|app-1" }, { authorization: "Bearer bce-v3/a", appid: "app-1" }],
  ])("of type %i with %j are %j", (type, given, headers) => {
    expect(provider(type).address(target(type, given), false).headers).toEqual({
      "content-type": "application/json",
      ...headers,
    });
  });

  it("identifies the calling site to OpenRouter", () => {
    const { settings } = target(20);
    const place = provider(20).address(
      target(20, { settings: { ...settings, siteAddress: "https://me.test" } }),
      false,
    );
    expect(place.headers).toMatchObject({ "http-referer": "https://me.test" });
  });
});

describe("usage in streams", () => {
  it.each(OPENAI_COMPATIBLE.map(({ type, supportsStreamUsage }) => [type, supportsStreamUsage] as const))(
    "is requested if type %i supports it: %j",
    (type, supportsStreamUsage) => {
      const given = target(type, { baseUrl: "https://host" });
      const { json } = provider(type).buildRequest(REQUEST, given);
      expect("stream_options" in json).toBe(supportsStreamUsage);
      const sent = { model: "m", stream: true, stream_options: { include_usage: true }, messages: [] };
      expect("stream_options" in (provider(type).adaptBody?.(sent, given) ?? sent)).toBe(supportsStreamUsage);
    },
  );
});

describe("provider failure", () => {
  it.each([
    [1002, 429],
    [1004, 401],
    [1008, 402],
    [2013, 400],
    [1001, 504],
  ])("of MiniMax with status 200 maps %i to %i", (code, status) => {
    const body = { choices: null, base_resp: { status_code: code, status_msg: "no" } };
    const read = (): unknown => provider(35).parseResponse(body);
    expect(read).toThrow(StreamFailure);
    expect(read).toThrow(expect.objectContaining({ status, upstream: expect.objectContaining({ message: "no" }) }));
    expect(() => getStream(35, [body])).toThrow(expect.objectContaining({ status }));
  });

  it.each<[number, unknown, string]>([
    [39, { success: false, errors: [{ code: 7009, message: "No route" }] }, "No route"],
    [40, "Invalid token", "Invalid token"],
    [48, { code: "invalid-argument", error: "Model not found" }, "Model not found"],
    [20, { error: { code: 402, message: "Insufficient credits" } }, "Insufficient credits"],
    [42, { detail: [{ loc: ["body", "x"], msg: "Extra inputs are not permitted" }] }, "Extra inputs are not permitted"],
    [42, { object: "error", message: { detail: [{ msg: "bad role" }] } }, "bad role"],
    [38, "<html>", "bad response status code 400"],
  ])("of type %i in %j returns %s", (type, body, message) => {
    expect(provider(type === 38 ? 1 : type).parseError(400, body).message).toBe(message);
  });
});

describe("model list", () => {
  it.each<[number, Partial<Target>, string]>([
    [3, { baseUrl: "https://a.b" }, "https://a.b/openai/deployments?api-version=2023-03-15-preview"],
    [17, {}, "https://dashscope.aliyuncs.com/compatible-mode/v1/models"],
    [20, {}, "https://openrouter.ai/api/v1/models"],
    [
      39,
      { other: "acc" },
      "https://api.cloudflare.com/client/v4/accounts/acc/ai/models/search?per_page=1000&task=Text%20Generation",
    ],
    [43, {}, "https://api.deepseek.com/models"],
    [49, {}, "https://models.github.ai/catalog/models"],
  ])("of type %i with %j is at %s", (type, given, url) => {
    expect(provider(type).account?.modelList?.(target(type, given)).url).toBe(url);
  });

  it("is parsed in each provider's format", () => {
    expect(provider(39).account?.parseModelList?.({ result: [{ id: "uuid", name: "@cf/a/b" }] })).toEqual(["@cf/a/b"]);
    expect(provider(49).account?.parseModelList?.([{ id: "openai/gpt-4.1" }])).toEqual(["openai/gpt-4.1"]);
    expect(provider(3).account?.parseModelList?.({ data: [{ id: "my-deployment", model: "gpt-4o" }] })).toEqual([
      "my-deployment",
    ]);
  });

  it("is absent if the provider has none", () => {
    for (const type of [22, 27, 35]) expect(provider(type).account?.modelList).toBeUndefined();
  });
});

describe("provider balance", () => {
  const NOW_MS = Date.UTC(2026, 10, 21);
  const openAi = "https://api.openai.com/v1/dashboard/billing";
  const requested = [
    `${openAi}/subscription`,
    `${openAi}/usage?start_date=2026-08-13&end_date=2026-11-22`,
    `${openAi}/usage?start_date=2026-11-01&end_date=2026-11-22`,
  ];
  const used = [{ total_usage: 2550 }, { total_usage: 1050 }];
  it.each<[number, string[], unknown[], number]>([
    [1, requested, [{ hard_limit_usd: 100 }, ...used], 74.5],
    [1, requested, [{ hard_limit_usd: 100, has_payment_method: true }, ...used], 89.5],
    [20, ["https://openrouter.ai/api/v1/credits"], [{ data: { total_credits: 10, total_usage: 2.5 } }], 7.5],
    [25, ["https://api.moonshot.cn/v1/users/me/balance"], [{ data: { available_balance: 49.5 } }], 49.5],
    [40, ["https://api.siliconflow.cn/v1/user/info"], [{ code: 20000, data: { totalBalance: "88.00" } }], 88],
    [
      43,
      ["https://api.deepseek.com/user/balance"],
      [
        {
          balance_infos: [
            { currency: "USD", total_balance: "1" },
            { currency: "CNY", total_balance: "110.00" },
          ],
        },
      ],
      110,
    ],
    [
      43,
      ["https://api.deepseek.com/user/balance"],
      [
        {
          balance_infos: [
            { currency: "CNY", total_balance: "0.00" },
            { currency: "USD", total_balance: "5.50" },
          ],
        },
      ],
      5.5,
    ],
  ])("of type %i is parsed from %j", (type, urls, bodies, amount) => {
    const balance = provider(type).account?.balance;
    expect(balance?.places(target(type), NOW_MS).map(({ url }) => url)).toEqual(urls);
    expect(balance?.read(bodies)).toBe(amount);
    expect(() => balance?.read([{ error: "no" }, {}])).toThrow(StreamFailure);
  });
});
