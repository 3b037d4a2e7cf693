/** Whose models are called so; the first that fits. */
const VENDORS: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    "OpenAI",
    /^(?:gpt|chatgpt|o[134](?:-|$)|dall-e|tts|whisper|text-(?:embedding-(?:3|ada)|moderation|davinci)|omni-|sora|davinci|babbage|codex|computer-use)/,
  ],
  ["Anthropic", /^claude/],
  ["Google", /^(?:gemini|gemma|palm|imagen|veo|learnlm|text-embedding-004|text-bison|chat-bison|aqa)/],
  ["DeepSeek", /^deepseek/],
  ["Qwen", /^(?:qwen|qwq|qvq|tongyi|wan)/],
  ["xAI", /^grok/],
  ["Meta", /^(?:llama|meta-)/],
  ["Mistral", /^(?:mistral|mixtral|codestral|ministral|pixtral|magistral|open-mi|devstral)/],
  ["Zhipu", /^(?:glm|chatglm|cogview|cogvideo|charglm)/],
  ["Moonshot", /^(?:moonshot|kimi)/],
  ["Baidu", /^(?:ernie|bloomz|embedding-v1|tao-)/],
  ["Doubao", /^(?:doubao|skylark|seed)/],
  ["Tencent", /^hunyuan/],
  ["iFlytek", /^spark/],
  ["MiniMax", /^(?:abab|minimax|speech-(?:01|02|2\.))/],
  ["01.AI", /^yi-/],
  ["Cohere", /^(?:command|c4ai|embed-|rerank-)/],
  ["360", /^360/],
  ["Jina", /^jina/],
  ["Midjourney", /^(?:mj_|midjourney|swap_face)/],
  ["Suno", /^suno/],
];

/** The vendor of a model by its name, with or without the vendor before a slash; undefined where nobody is known. */
export function vendorOf(model: string): string | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return VENDORS.find(([, pattern]) => pattern.test(name))?.[0];
}
