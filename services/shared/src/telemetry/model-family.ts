/** Model families by name prefix: the only caller-supplied values that become a label. The first match counts. */
const FAMILIES: readonly (readonly [prefix: string, family: string])[] = [
  ["gpt-5", "gpt-5"],
  ["gpt-4.1", "gpt-4.1"],
  ["gpt-4o", "gpt-4o"],
  ["chatgpt-4o", "gpt-4o"],
  ["gpt-4", "gpt-4"],
  ["gpt-3.5", "gpt-3.5"],
  ["gpt-image", "gpt-image"],
  ["o1", "openai-o"],
  ["o3", "openai-o"],
  ["o4", "openai-o"],
  ["text-embedding", "embedding"],
  ["dall-e", "dall-e"],
  ["whisper", "whisper"],
  ["tts-", "tts"],
  ["claude-3", "claude-3"],
  ["claude-opus", "claude-opus"],
  ["claude-sonnet", "claude-sonnet"],
  ["claude-haiku", "claude-haiku"],
  ["claude", "claude"],
  ["gemini-1", "gemini-1"],
  ["gemini-2", "gemini-2"],
  ["gemini-3", "gemini-3"],
  ["gemini", "gemini"],
  ["gemma", "gemma"],
  ["imagen", "imagen"],
  ["veo", "veo"],
  ["deepseek", "deepseek"],
  ["qwen", "qwen"],
  ["qwq", "qwen"],
  ["llama", "llama"],
  ["mistral", "mistral"],
  ["mixtral", "mistral"],
  ["codestral", "mistral"],
  ["grok", "grok"],
  ["glm", "glm"],
  ["ernie", "ernie"],
  ["hunyuan", "hunyuan"],
  ["moonshot", "moonshot"],
  ["kimi", "moonshot"],
  ["doubao", "doubao"],
  ["minimax", "minimax"],
  ["abab", "minimax"],
  ["yi-", "yi"],
  ["command", "command"],
  ["rerank", "rerank"],
  ["jina", "jina"],
  ["bge", "bge"],
  ["flux", "flux"],
  ["suno", "suno"],
  ["mj_", "midjourney"],
];

const KNOWN_MAX = 5_000;
const known = new Map<string, string>();

function find(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return FAMILIES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? "other";
}

/** The family of a model, or "other": a bounded set, whatever callers send. */
export function modelFamily(model: string): string {
  const family = known.get(model);
  if (family !== undefined) return family;
  if (known.size >= KNOWN_MAX) known.clear();
  const found = find(model);
  known.set(model, found);
  return found;
}
