/** Prefixes that providers give their keys, the more specific first. */
const PREFIXES: readonly (readonly [prefix: string, type: number])[] = [
  ["sk-ant-", 14],
  ["sk-or-", 20],
  ["sk-proj-", 1],
  ["sk-svcacct-", 1],
  ["AIza", 24],
  ["AQ.", 24],
  ["xai-", 48],
  ["pplx-", 27],
  ["github_pat_", 49],
  ["ghp_", 49],
  ["jina_", 38],
];
const DEEPSEEK = /^sk-[0-9a-f]{32}$/;
const DEEPSEEK_TYPE = 43;
const OPENAI_TYPE = 1;

/** The channel type that a key's form suggests; undefined where it could be any provider's. */
export function findKeyType(key: string): number | undefined {
  const text = key.trim();
  const known = PREFIXES.find(([prefix]) => text.startsWith(prefix));
  if (known) return known[1];
  if (DEEPSEEK.test(text)) return DEEPSEEK_TYPE;
  return text.startsWith("sk-") ? OPENAI_TYPE : undefined;
}
