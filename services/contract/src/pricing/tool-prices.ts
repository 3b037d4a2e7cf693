/**
 * What things beside tokens cost, in dollars: 1000 calls of a tool, or (`audio_input`) a million tokens of sound. A name is a tool,
 * with its variant behind slashes (`image_generation/high/1024x1024`), and behind a colon the model it is for, `*` standing for any
 * ending. The longest model that fits counts, then the tool's price for all models; a variant without a price has its tool's; a
 * tool without a price costs nothing.
 */
export const DEFAULT_TOOL_PRICES: Readonly<Record<string, number>> = {
  web_search: 25,
  "web_search:o3*": 10,
  "web_search:o4*": 10,
  "web_search:gpt-5*": 10,
  "web_search:claude*": 10,
  file_search: 2.5,
  // Per grounded prompt; from the third generation on per search.
  "google_search:gemini-2*": 35,
  "google_search:gemini-3*": 14,
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
  "audio_input:gemini-2.5-flash*": 1,
  "audio_input:gemini-2.5-flash-lite*": 0.5,
  "audio_input:gemini-2.5-flash-preview-lite*": 0.5,
  "audio_input:gemini-2.5-flash-native-audio*": 3,
  "audio_input:gemini-2.5-flash-preview-native-audio*": 3,
  "audio_input:gemini-2.0-flash*": 0.7,
};

/** The key of the price of a million prompt audio tokens. */
export const AUDIO_INPUT = "audio_input";

/** Length of the pattern's match in the model's name; -1 when it does not match. */
function fit(pattern: string, model: string): number {
  if (!pattern.endsWith("*")) return pattern === model ? model.length + 1 : -1;
  const start = pattern.slice(0, -1);
  return model.startsWith(start) ? start.length : -1;
}

/** The prices of all tools for one model, by the tool's name alone. Vendor prefixes ("openai/") of the model do not matter. */
export function toolPricesOf(table: Readonly<Record<string, number>>, model: string): Readonly<Record<string, number>> {
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

/** The price of a tool, or of its variant, in the result of `toolPricesOf`; 0 where it has none. */
export function toolPriceOf(prices: Readonly<Record<string, number>>, tool: string): number {
  if (Object.hasOwn(prices, tool)) return prices[tool] ?? 0;
  const slash = tool.indexOf("/");
  return slash < 0 ? 0 : toolPriceOf(prices, tool.slice(0, slash));
}
