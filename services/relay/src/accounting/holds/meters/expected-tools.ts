import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import { findToolPrice } from "@turnpike/contract/pricing/tool-prices";
import type { Json } from "../../../core/chat/chat.ts";
import type { RelayCall } from "../../../core/call/relay-call.ts";
import { searchesAlways } from "../../usage/call-quota.ts";

/** Calls of the provider's own tools, by the names of the contract's tool prices. */
export type ToolCalls = Readonly<Record<string, number>>;

/** What a call may spend on tools: at most, and at least if it is served as requested. */
export type ExpectedTools = { readonly most: ToolCalls; readonly likely: ToolCalls };

/** The assumed calls of a tool where the request sets no bound. An agent's response needs few more; a stream's hold grows. */
const CALLS_DEFAULT: Readonly<Record<string, number>> = { search: 5, file_search: 5, image_generation: 2 };
/** Higher bounds of a request count as this one: a bound is not what a model uses. */
const CALLS_MAX = 20;

/** Google bills models before the third generation once for each prompt with a search. */
const IS_BILLED_BY_PROMPT = /gemini-[12]/;
/** Fields of Google's tools that search. */
const GOOGLE_SEARCHES = ["google_search", "googleSearch", "googleSearchRetrieval", "google_search_retrieval"];

const toCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? Math.min(value, CALLS_MAX) : undefined;

function listTools({ body }: Pick<RelayCall, "body">): readonly Json[] {
  const { tools } = body;
  return Array.isArray(tools)
    ? tools.filter((tool): tool is Json => typeof tool === "object" && tool !== null && !Array.isArray(tool))
    : [];
}

const isSearch = (tool: Json): boolean =>
  (typeof tool["type"] === "string" && tool["type"].startsWith("web_search")) ||
  GOOGLE_SEARCHES.some((field) => tool[field] !== undefined);

/** The name of a search's price: which provider serves the call, and so runs the search, is not known yet. */
function nameSearch({ toolPrices }: ModelPrice): string {
  const [web, google] = ["web_search", "google_search"];
  return findToolPrice(toolPrices, google) > findToolPrice(toolPrices, web) ? google : web;
}

/** The name of an image's price by the tool's settings; the most expensive kind where the model chooses. */
function nameImage({ toolPrices }: ModelPrice, tool: Json): string {
  const named = `image_generation/${String(tool["quality"])}/${String(tool["size"])}`;
  if (Object.hasOwn(toolPrices, named)) return named;
  const kinds = Object.keys(toolPrices).filter((name) => /^image_generation(\/|$)/.test(name));
  return kinds.reduce(
    (most, name) => (findToolPrice(toolPrices, name) > findToolPrice(toolPrices, most) ? name : most),
    "image_generation",
  );
}

function countSearches(call: RelayCall, searches: readonly Json[], bound: number | undefined): number {
  if (searches.length === 0 && call.body["web_search_options"] === undefined) return 0;
  if (IS_BILLED_BY_PROMPT.test(call.model)) return 1;
  const uses = searches.map((tool) => toCount(tool["max_uses"]));
  const most = uses.some((count) => count !== undefined) ? Math.max(...uses.map((count) => count ?? 0)) : undefined;
  return most ?? bound ?? CALLS_DEFAULT["search"] ?? 1;
}

const NO_TOOLS: ExpectedTools = { most: {}, likely: {} };

/**
 * The tools of the provider's own that a request lets it call, as far as they have a price: read from the request's tools, whatever its
 * dialect. The account must cover one call of each.
 */
export function getExpectedTools(call: RelayCall, price: ModelPrice): ExpectedTools {
  const { endpoint } = call.dialect;
  // Only chat endpoints run tools.
  if (endpoint && endpoint.isServedByChat !== true) return NO_TOOLS;
  const tools = listTools(call);
  const bound = toCount(call.body["max_tool_calls"]);
  const searches = Math.max(countSearches(call, tools.filter(isSearch), bound), searchesAlways(call) ? 1 : 0);
  const files = tools.some(({ type }) => type === "file_search") ? (bound ?? CALLS_DEFAULT["file_search"] ?? 1) : 0;
  const image = tools.find(({ type }) => type === "image_generation");
  const images = image ? (bound ?? CALLS_DEFAULT["image_generation"] ?? 1) : 0;
  const counts = [
    [nameSearch(price), searches],
    ["file_search", files],
    [image ? nameImage(price, image) : "image_generation", images],
  ] as const;
  const priced = counts.filter(([name, count]) => count > 0 && findToolPrice(price.toolPrices, name) > 0);
  if (priced.length === 0) return NO_TOOLS;
  return { most: Object.fromEntries(priced), likely: Object.fromEntries(priced.map(([name]) => [name, 1])) };
}
