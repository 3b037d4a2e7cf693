import { CACHED, CLAUDE, recorded, reported, row, type PriceRow } from "./price-row.ts";

const SEARCH = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "x" } };
const OPEN = { type: "web_search_call", id: "ws_2", status: "completed", action: { type: "open_page", url: "x" } };
const FILES = { type: "file_search_call", id: "fs_1", status: "completed", queries: ["x"] };
const drawn = (quality: string, size: string) => ({
  type: "image_generation_call",
  id: "ig_1",
  status: "completed",
  quality,
  size,
  result: "aGk=",
});

const CLAUDE_SEARCH = { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 5 }] };
const SEARCHING = { body: { web_search_options: {} } };

export const TOOLS: readonly PriceRow[] = [
  row("responses", "responses", "gpt-4o", 3375, reported(1000, 500, CACHED)),
  row("responses, streamed", "responses streamed", "gpt-4o", 3375, reported(1000, 500, CACHED)),
  // 3750 + $0.025
  row("a web search", "responses", "gpt-4o", 16_250, { ...reported(1000, 500), ownTools: [SEARCH, OPEN] }),
  row("two web searches, streamed", "responses streamed", "gpt-4o", 28_750, {
    ...reported(1000, 500),
    ownTools: [SEARCH, SEARCH],
  }),
  // 3000 + $0.01
  row("a web search of a reasoning model", "responses streamed", "o3", 8000, {
    ...reported(1000, 500),
    ownTools: [SEARCH],
  }),
  // 1800 × 0.625 + $0.0025
  row("a file search", "responses", "gpt-5", 2375, { ...reported(1000, 100), ownTools: [FILES] }),
  // 1125 + $0.063
  row("a generated image", "responses", "gpt-5", 32_625, {
    ...reported(1000, 100),
    ownTools: [drawn("medium", "1024x1536")],
  }),
  // 1125 + $0.167
  row("a generated image of unknown size, streamed", "responses streamed", "gpt-5", 84_625, {
    ...reported(1000, 100),
    ownTools: [drawn("auto", "auto")],
  }),
  // (3000 + 5000 + 1250 + 5500) × 0.8
  row(
    "all tools in a group",
    "responses",
    "o3",
    11_800,
    { ...reported(1000, 500), ownTools: [SEARCH, FILES, drawn("low", "1024x1024")] },
    { group: "vip" },
  ),
  // $0.01 + $0.025
  row("a tool in addition to a per-call price", "responses", "flat-model", 17_500, {
    ...reported(1000, 500),
    ownTools: [SEARCH],
  }),
  // (1000 + 2000) × 1.25 + $0.025
  row("a model that always searches", "chat", "gpt-4o-search-preview", 16_250, reported(1000, 500)),
  row(
    "a model that always searches, streamed",
    "messages streamed",
    "gpt-4o-search-preview",
    16_250,
    reported(1000, 500),
  ),
];

export const SEARCHES: readonly PriceRow[] = [
  // (2095 + 63×5) × 1.5 + 2 × $0.01
  row("Claude's search for OpenAI clients", "chat", CLAUDE, 13_615, recorded("anthropic/__fixtures__/search.json"), {
    ...SEARCHING,
    requested: CLAUDE_SEARCH,
  }),
  row("the same, streamed", "chat streamed", CLAUDE, 13_615, recorded("anthropic/__fixtures__/search.chunks.txt"), {
    ...SEARCHING,
    requested: CLAUDE_SEARCH,
  }),
  // 9 × 0.25 + 14 × 1.5 + 2 × $0.014
  row(
    "Google's search for OpenAI clients",
    "chat",
    "gemini-3-flash-preview",
    14_023,
    recorded("gemini/__fixtures__/search.json"),
    { ...SEARCHING, requested: { tools: [{ googleSearch: {} }] } },
  ),
  row(
    "Google's search for OpenAI clients, streamed",
    "chat streamed",
    "gemini-3-flash-preview",
    14_023,
    recorded("gemini/__fixtures__/search.chunks.txt"),
    { ...SEARCHING, requested: { tools: [{ googleSearch: {} }] } },
  ),
];
