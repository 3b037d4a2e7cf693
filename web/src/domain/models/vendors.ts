/** Model name prefixes by vendor. Vendor names are not translated. */
const VENDORS: readonly { readonly name: string; readonly begins: RegExp }[] = [
  {
    name: "OpenAI",
    begins:
      /^(gpt-|chatgpt|codex|o\d|text-embedding-(3|ada)|text-moderation|omni-moderation|whisper|tts-|dall-e|davinci|babbage|sora|computer-use)/,
  },
  { name: "Anthropic", begins: /^(claude|anthropic)/ },
  { name: "Google", begins: /^(gemini|gemma|palm|imagen|veo|learnlm|text-bison|chat-bison|text-embedding-00\d|aqa)/ },
  { name: "DeepSeek", begins: /^deepseek/ },
  { name: "Qwen", begins: /^(qwen|qwq|qvq|tongyi|wanx?\d|text-embedding-v\d|gte-)/ },
  { name: "Moonshot", begins: /^(moonshot|kimi)/ },
  { name: "Zhipu", begins: /^(glm|chatglm|cogview|cogvideo|codegeex|charglm|embedding-\d)/ },
  { name: "Doubao", begins: /^(doubao|skylark|seed)/ },
  { name: "Baidu", begins: /^(ernie|bloomz|eb-|embedding-v1|tao-)/ },
  { name: "MiniMax", begins: /^(abab|minimax|hailuo|speech-(01|02|2\.))/ },
  { name: "Mistral", begins: /^(mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|open-mi)/ },
  { name: "Meta", begins: /^(llama|meta-|codellama)/ },
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

/** The vendor of a model, by the prefix of its name without any "vendor/" part; undefined for an unknown prefix. */
export function getVendor(model: string): string | undefined {
  const bare = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return VENDORS.find(({ begins }) => begins.test(bare))?.name;
}

/** Models of one vendor in their original order; `vendor` is undefined for unknown vendors, which come last. */
export type VendorModels = { readonly vendor: string | undefined; readonly models: readonly string[] };

/** Groups models by vendor. */
export function groupByVendor(models: readonly string[]): VendorModels[] {
  const groups = Map.groupBy(models, getVendor);
  const order = [...VENDORS.map(({ name }) => name), undefined];
  return order.flatMap((vendor) => {
    const found = groups.get(vendor);
    return found ? [{ vendor, models: found }] : [];
  });
}
