import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createUpstreamClient } from "../../upstream/upstream-client.ts";
import { createUsageReportQuery } from "./usage-report-query.ts";

type Reply = { readonly status?: number; readonly body: unknown };

/** A provider that serves scripted pages by path and page. */
const pages = new Map<string, Reply[]>();
const seen: { path: string; search: URLSearchParams; headers: IncomingMessage["headers"] }[] = [];
const server = createServer((request, response) => {
  const { pathname: path, searchParams: search } = new URL(request.url ?? "", "http://host");
  seen.push({ path, search, headers: request.headers });
  const replies = pages.get(`${path} ${search.get("page") ?? ""}`.trim()) ?? [];
  const { status = 200, body } = (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 404, body: {} };
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
});
const client = createUpstreamClient({ connectMs: 2_000 });
const fetchReport = createUsageReportQuery({ client, options: () => optionsInForce([]), now: Date.now });
let baseUrl = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await client.close();
  server.close();
});
const OTHER_USAGE = ["embeddings", "moderations", "audio_speeches"].map((name) => `/v1/organization/usage/${name}`);
beforeEach(() => {
  pages.clear();
  for (const path of OTHER_USAGE) pages.set(path, [{ body: { object: "page", data: [], has_more: false } }]);
  seen.length = 0;
});

const DAY = Date.UTC(2026, 10, 20) / 1000;
const read = (type: number) => fetchReport({ type, baseUrl, key: "admin-key", proxy: "", daySeconds: DAY });
const bucket = (results: readonly unknown[], next?: string) => ({
  object: "page",
  data: [{ start_time: DAY, end_time: DAY + 86_400, results }],
  has_more: next !== undefined,
  next_page: next ?? null,
});
const brief = (lines: Awaited<ReturnType<typeof read>>["lines"]) =>
  lines.map(({ model, kind, tier, tokens, isCost, costNanodollars }) => [
    model,
    kind,
    tier,
    isCost ? costNanodollars : tokens,
  ]);

describe("a provider's usage report", () => {
  it("reads OpenAI's costs and completions page by page, and repeats what fails for a moment", async () => {
    const cost = (line_item: string, value: unknown) => ({ amount: { value, currency: "usd" }, line_item });
    pages.set("/v1/organization/costs", [
      { status: 429, body: {} },
      {
        body: bucket([cost("gpt-4o-2024-08-06, input", 0.25), cost("gpt-4o-2024-08-06, cached input", "0.0125")], "p2"),
      },
    ]);
    pages.set("/v1/organization/costs p2", [
      { status: 503, body: "busy" },
      {
        body: bucket([
          cost("gpt-4o-2024-08-06, output", 1e-7),
          cost("web search tool calls", 0.03),
          cost("Image models", 2),
        ]),
      },
    ]);
    const completions = {
      input_tokens: 1000,
      output_tokens: 200,
      input_cached_tokens: 300,
      input_audio_tokens: 50,
      output_audio_tokens: 20,
      num_model_requests: 7,
      model: "gpt-4o-2024-08-06",
    };
    pages.set("/v1/organization/usage/completions", [
      {
        body: bucket([
          { ...completions, batch: false, service_tier: "default" },
          { ...completions, batch: true, service_tier: null },
        ]),
      },
    ]);
    const { lines, kinds, hasTiers } = await read(1);
    expect([kinds.includes("cache_read"), hasTiers]).toEqual([true, true]);
    expect(brief(lines)).toEqual([
      ["gpt-4o-2024-08-06", "input", "", 250_000_000],
      ["gpt-4o-2024-08-06", "cache_read", "", 12_500_000],
      ["gpt-4o-2024-08-06", "output", "", 100],
      ["", "web_search", "", 30_000_000],
      ["", "", "", 2_000_000_000],
      ...["", "batch"].flatMap((tier) => [
        ["gpt-4o-2024-08-06", "input", tier, 650],
        ["gpt-4o-2024-08-06", "cache_read", tier, 300],
        ["gpt-4o-2024-08-06", "audio_input", tier, 50],
        ["gpt-4o-2024-08-06", "output", tier, 180],
        ["gpt-4o-2024-08-06", "audio_output", tier, 20],
        ["gpt-4o-2024-08-06", "requests", tier, 7],
      ]),
    ]);
    const [first] = seen;
    expect(first?.headers.authorization).toBe("Bearer admin-key");
    expect([first?.search.get("start_time"), first?.search.get("end_time")]).toEqual([
      String(DAY),
      String(DAY + 86_400),
    ]);
    const grouped = seen.find(({ path }) => path.endsWith("completions"))?.search.getAll("group_by[]");
    expect(grouped).toEqual(["model", "batch", "service_tier"]);
  });

  it("reads OpenAI's cache writes, images, whole models, embeddings, moderations and speech", async () => {
    const cost = (line_item: string, value: number) => ({ amount: { value, currency: "usd" }, line_item });
    pages.set("/v1/organization/costs", [
      {
        body: bucket([
          cost("gpt-6-sol, cache writes", 1),
          cost("gpt-image-1 image, output", 2),
          cost("gpt-image-1 text, input", 3),
          cost("gpt-audio audio, cached input", 4),
          cost("whisper", 5),
        ]),
      },
    ]);
    const model = "gpt-6-sol";
    pages.set("/v1/organization/usage/completions", [
      {
        body: bucket([
          {
            model,
            input_tokens: 1000,
            input_cached_tokens: 300,
            input_cached_image_tokens: 20,
            input_cache_write_tokens: 100,
            input_image_tokens: 50,
            output_tokens: 200,
            output_image_tokens: 30,
          },
        ]),
      },
    ]);
    pages.set("/v1/organization/usage/embeddings", [
      { body: bucket([{ model: "text-embedding-3-small", input_tokens: 70, num_model_requests: 2 }]) },
    ]);
    pages.set("/v1/organization/usage/moderations", [
      { body: bucket([{ model: "omni-moderation-latest", input_tokens: 9 }]) },
    ]);
    pages.set("/v1/organization/usage/audio_speeches", [
      {
        body: bucket([
          { model: "tts-1-hd", characters: 500 },
          { model: "gpt-4o-mini-tts", characters: 400 },
        ]),
      },
    ]);
    expect(brief((await read(1)).lines)).toEqual([
      [model, "cache_write", "", 1e9],
      ["gpt-image-1", "image_output", "", 2e9],
      ["gpt-image-1", "input", "", 3e9],
      ["gpt-audio", "audio_cache_read", "", 4e9],
      ["whisper", "", "", 5e9],
      [model, "input", "", 550],
      [model, "cache_read", "", 280],
      [model, "image_input", "", 50],
      [model, "cache_write", "", 100],
      [model, "image_cache_read", "", 20],
      [model, "output", "", 170],
      [model, "image_output", "", 30],
      ["text-embedding-3-small", "input", "", 70],
      ["text-embedding-3-small", "requests", "", 2],
      ["omni-moderation-latest", "input", "", 9],
      ["tts-1-hd", "input", "", 500],
    ]);
  });

  it("reads Anthropic's messages and cost report, whose amounts are cents", async () => {
    pages.set("/v1/organizations/usage_report/messages", [
      {
        body: bucket([
          {
            model: "claude-sonnet-4-5-20250929",
            service_tier: "standard",
            uncached_input_tokens: 100,
            cache_read_input_tokens: 40,
            cache_creation: { ephemeral_5m_input_tokens: 9, ephemeral_1h_input_tokens: 3 },
            output_tokens: 20,
            server_tool_use: { web_search_requests: 2 },
          },
        ]),
      },
    ]);
    const line = { currency: "USD", cost_type: "tokens", model: "claude-sonnet-4-5-20250929", service_tier: "batch" };
    pages.set("/v1/organizations/cost_report", [
      {
        body: bucket([
          { ...line, amount: "123.78912", token_type: "uncached_input_tokens" },
          { ...line, amount: "0.5", token_type: "cache_creation.ephemeral_1h_input_tokens" },
          { currency: "USD", cost_type: "web_search", amount: "2", description: "Web search" },
        ]),
      },
    ]);
    expect(brief((await read(14)).lines)).toEqual([
      ["claude-sonnet-4-5-20250929", "input", "", 100],
      ["claude-sonnet-4-5-20250929", "cache_read", "", 40],
      ["claude-sonnet-4-5-20250929", "cache_write", "", 9],
      ["claude-sonnet-4-5-20250929", "cache_write_1h", "", 3],
      ["claude-sonnet-4-5-20250929", "output", "", 20],
      ["", "web_search", "", 2],
      ["claude-sonnet-4-5-20250929", "input", "batch", 1_237_891_200],
      ["claude-sonnet-4-5-20250929", "cache_write_1h", "batch", 5_000_000],
      ["", "web_search", "", 20_000_000],
    ]);
    expect(seen[0]?.search.get("starting_at")).toBe("2026-11-20T00:00:00Z");
    expect(seen[0]?.headers["x-api-key"]).toBe("admin-key");
  });

  it("reads OpenRouter's activity", async () => {
    const activity = { date: "2026-11-20", model: "openai/gpt-4.1", usage: 0.015, requests: 5 };
    pages.set("/v1/activity", [{ body: { data: [{ ...activity, prompt_tokens: 50, completion_tokens: 125 }] } }]);
    expect(brief((await read(20)).lines)).toEqual([
      ["openai/gpt-4.1", "input", "", 50],
      ["openai/gpt-4.1", "output", "", 125],
      ["openai/gpt-4.1", "requests", "", 5],
      ["openai/gpt-4.1", "", "", 15_000_000],
    ]);
    expect(seen[0]?.search.get("date")).toBe("2026-11-20");
  });

  it.each<[string, Reply, string]>([
    ["a refused key", { status: 401, body: { error: "admin-key" } }, "HTTP 401"],
    ["text that is no JSON", { body: "<html>" }, "the report is not in the expected format"],
    ["another shape", { body: { data: "x" } }, "the report is not in the expected format"],
    [
      "another currency",
      { body: bucket([{ amount: { value: 1, currency: "eur" } }]) },
      "the report is not in the expected format",
    ],
    ["a page that repeats", { body: bucket([], "again") }, "the report repeats a page"],
  ])("fails for %s with the reason, and without the key", async (_, reply, detail) => {
    pages.set("/v1/organization/usage/completions", [{ body: bucket([]) }]);
    pages.set("/v1/organization/costs", [reply]);
    pages.set("/v1/organization/costs again", [reply]);
    await expect(read(1)).rejects.toMatchObject({ code: "report_failed", params: { detail } });
  });

  it("is refused for providers that have none", async () => {
    await expect(read(3)).rejects.toMatchObject({ code: "report_unsupported" });
  });
});
