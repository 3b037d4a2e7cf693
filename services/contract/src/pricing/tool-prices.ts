import { timesRatio } from "./decimal.ts";

/**
 * Prices of everything except tokens, in dollars: per 1,000 calls of a tool, or (`audio_input`) per million tokens of
 * audio. A name is a tool, with its variant after slashes (`image_generation/high/1024x1024`), and after a colon the
 * model that it applies to; `*` stands for any ending. The longest matching model wins, then the tool's price for all
 * models; a variant without a price has its tool's price; a tool without a price costs nothing.
 */
export const DEFAULT_TOOL_PRICES: Readonly<Record<string, number>> = {
  web_search: 25,
  "web_search:o3*": 10,
  "web_search:o4*": 10,
  "web_search:gpt-5*": 10,
  "web_search:claude*": 10,
  file_search: 2.5,
  // Per grounded prompt; per search from the third generation on.
  "google_search:gemini-2*": 35,
  "google_search:gemini-3*": 14,
  "google_maps:gemini-2*": 25,
  "google_maps:gemini-3*": 14,
  // A container of OpenAI's code interpreter.
  code_interpreter: 30,
  image_generation: 167,
  "image_generation/low/1024x1024": 11,
  "image_generation/low/1024x1536": 16,
  "image_generation/low/1536x1024": 16,
  "image_generation/medium/1024x1024": 42,
  "image_generation/medium/1024x1536": 63,
  "image_generation/medium/1536x1024": 63,
  "image_generation/high/1024x1024": 167,
  "image_generation/high/1024x1536": 250,
  "image_generation/high/1536x1024": 250,
};

/** The key of the price of a million prompt audio tokens. */
export const AUDIO_INPUT = "audio_input";

/** Length of the pattern's match in the model's name; -1 when it does not match. */
function fit(pattern: string, model: string): number {
  if (!pattern.endsWith("*")) return pattern === model ? model.length + 1 : -1;
  const start = pattern.slice(0, -1);
  return model.startsWith(start) ? start.length : -1;
}

/**
 * The prices of all tools for one model, by the tool's name alone. Vendor prefixes ("openai/") of the model are
 * ignored.
 */
export function listToolPrices(
  table: Readonly<Record<string, number>>,
  model: string,
): Readonly<Record<string, number>> {
  const bare = model.slice(model.lastIndexOf("/") + 1);
  const found = new Map<string, { readonly price: number; readonly length: number }>();
  for (const [name, price] of Object.entries(table)) {
    const colon = name.indexOf(":");
    const tool = colon < 0 ? name : name.slice(0, colon);
    const pattern = colon < 0 ? "*" : name.slice(colon + 1);
    const length = Math.max(fit(pattern, bare), fit(pattern, model));
    if (length >= 0 && length >= (found.get(tool)?.length ?? 0)) found.set(tool, { price, length });
  }
  return Object.fromEntries([...found].map(([tool, { price }]) => [tool, price]));
}

/** The price of a tool, or of its variant, in the result of `listToolPrices`; 0 without a price. */
export function findToolPrice(prices: Readonly<Record<string, number>>, tool: string): number {
  if (Object.hasOwn(prices, tool)) return prices[tool] ?? 0;
  const slash = tool.indexOf("/");
  return slash < 0 ? 0 : findToolPrice(prices, tool.slice(0, slash));
}

type OwnToolPrice = "per_search" | "per_map_query";

/** The tools whose price a model's own price of a search or of a map query is. */
const TOOLS_BY_PRICE: Readonly<Record<OwnToolPrice, readonly string[]>> = {
  per_search: ["web_search", "google_search"],
  per_map_query: ["google_maps"],
};
const PER_PRICE = 1_000;

/**
 * Tool prices with a model's own prices of searches and map queries, in dollars: they apply where the table has no price for this very
 * model and for all models only the built-in one.
 */
export function withOwnToolPrices(
  prices: Readonly<Record<string, number>>,
  table: Readonly<Record<string, number>>,
  own: { readonly model: string } & Readonly<Record<OwnToolPrice, number | undefined>>,
): Readonly<Record<string, number>> {
  const { model, ...dollarsByPrice } = own;
  // Entries that are built in follow the lists of providers, as the model's own price does.
  const isOperators = (key: string): boolean => table[key] !== DEFAULT_TOOL_PRICES[key];
  const isNamed = (tool: string): boolean =>
    isOperators(tool) ||
    Object.keys(table).some(
      (key) => isOperators(key) && key.startsWith(`${tool}:`) && fit(key.slice(tool.length + 1), model) >= 0,
    );
  const found = Object.entries(TOOLS_BY_PRICE).flatMap(([price, tools]) => {
    const dollars = dollarsByPrice[price as OwnToolPrice];
    if (dollars === undefined) return [];
    return tools.filter((tool) => !isNamed(tool)).map((tool) => [tool, timesRatio(dollars, PER_PRICE)] as const);
  });
  return found.length === 0 ? prices : { ...prices, ...Object.fromEntries(found) };
}
