/** How the names of a vendor's models begin. The vendors' names are their own in every language. */
const VENDORS: readonly { readonly name: string; readonly begins: RegExp }[] = [
  {
    name: "OpenAI",
    begins:
      /^(gpt-|chatgpt|codex|o\d|text-embedding-(3|ada)|text-moderation|omni-moderation|whisper|tts-|dall-e|davinci|babbage|sora|computer-use)/,
  },
  { name: "Anthropic", begins: /^(claude|anthropic)/ },
  { name: "Google", begins: /^(gemini|gemma|palm|imagen|veo|learnlm|text-bison|chat-bison|text-embedding-00\d)/ },
  { name: "DeepSeek", begins: /^deepseek/ },
  { name: "Alibaba", begins: /^(qwen|qwq|qvq|wanx?\d|text-embedding-v\d|gte-)/ },
  { name: "Moonshot", begins: /^(moonshot|kimi)/ },
  { name: "Zhipu", begins: /^(glm|chatglm|cogview|cogvideo|codegeex|embedding-\d)/ },
  { name: "Doubao", begins: /^(doubao|skylark|seed)/ },
  { name: "Baidu", begins: /^(ernie|bloomz|eb-|tao-)/ },
  { name: "MiniMax", begins: /^(abab|minimax|hailuo|speech-(01|02|2\.))/ },
  { name: "Mistral", begins: /^(mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|open-mi)/ },
  { name: "Meta", begins: /^(llama|meta-llama|codellama)/ },
  { name: "xAI", begins: /^grok/ },
  { name: "Cohere", begins: /^(command|c4ai|embed-(english|multilingual|v)|rerank-(english|multilingual|v))/ },
  { name: "Tencent", begins: /^hunyuan/ },
  { name: "iFlytek", begins: /^spark/ },
  { name: "01.AI", begins: /^yi-/ },
  { name: "360", begins: /^(360|semantic_similarity)/ },
  { name: "Perplexity", begins: /^(sonar|pplx)/ },
  { name: "Jina", begins: /^jina/ },
  { name: "BAAI", begins: /^bge/ },
  { name: "Microsoft", begins: /^(phi-|wizardlm)/ },
  { name: "Midjourney", begins: /^(mj_|midjourney|swap_face)/ },
  { name: "Suno", begins: /^(suno|chirp)/ },
];

/** Whose model a name is, as far as its beginning tells; a "vendor/" before it does not count. */
export function vendorOf(model: string): string | undefined {
  const bare = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return VENDORS.find(({ begins }) => begins.test(bare))?.name;
}

/** Models of one vendor, in the order they came; `vendor` is undefined for the rest, which comes last. */
export type VendorModels = { readonly vendor: string | undefined; readonly models: readonly string[] };

/** The models by vendor. */
export function byVendor(models: readonly string[]): VendorModels[] {
  const groups = Map.groupBy(models, vendorOf);
  const order = [...VENDORS.map(({ name }) => name), undefined];
  return order.flatMap((vendor) => {
    const found = groups.get(vendor);
    return found ? [{ vendor, models: found }] : [];
  });
}
