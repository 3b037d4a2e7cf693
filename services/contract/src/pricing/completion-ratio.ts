/** A test on a model's name and the completion ratio for it; the first match applies. */
type Rule = { readonly when: (name: string) => boolean; readonly ratio: number };

const starts =
  (...prefixes: string[]) =>
  (name: string) =>
    prefixes.some((prefix) => name.startsWith(prefix));
const contains =
  (...parts: string[]) =>
  (name: string) =>
    parts.some((part) => name.includes(part));
const ends =
  (...suffixes: string[]) =>
  (name: string) =>
    suffixes.some((suffix) => name.endsWith(suffix));
const is =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name);

const RULES: readonly Rule[] = [
  { when: is("gpt-4o-all"), ratio: 1 },
  { when: is("gpt-4o-gizmo-*"), ratio: 3 },
  { when: is("gpt-4o-2024-05-13"), ratio: 3 },
  { when: starts("gpt-4o"), ratio: 4 },
  { when: starts("gpt-4.5-preview"), ratio: 2 },
  {
    when: (name) => starts("gpt-4-turbo")(name) || (starts("gpt-4")(name) && ends("gpt-4-1106", "gpt-4-1105")(name)),
    ratio: 3,
  },
  { when: (name) => starts("gpt-4")(name) && !ends("-all", "-gizmo-*")(name), ratio: 2 },
  { when: starts("gpt-5.4-nano"), ratio: 6.25 },
  { when: starts("gpt-5.4"), ratio: 6 },
  { when: starts("gpt-5"), ratio: 8 },
  { when: starts("o1", "o3"), ratio: 4 },
  { when: is("chatgpt-4o-latest"), ratio: 3 },
  { when: contains("claude-3", "claude-sonnet-4", "claude-opus-4", "claude-haiku-4"), ratio: 5 },
  { when: contains("claude-instant-1", "claude-2"), ratio: 3 },
  { when: (name) => name === "gpt-3.5-turbo" || (starts("gpt-3.5")(name) && ends("0125")(name)), ratio: 3 },
  { when: (name) => starts("gpt-3.5")(name) && ends("1106")(name), ratio: 2 },
  { when: starts("gpt-3.5"), ratio: 1.3333 },
  { when: is("gpt-image-1"), ratio: 8 },
  { when: starts("mistral-"), ratio: 3 },
  { when: starts("gemini-1.0-pro", "gemini-1.5-pro"), ratio: 4 },
  { when: starts("gemini-2.5-pro-preview"), ratio: 8 },
  { when: is("gemini-2.5-pro"), ratio: 8 },
  { when: (name) => starts("gemini-2.5-flash-preview")(name) && ends("-nothinking")(name), ratio: 4 },
  { when: starts("gemini-2.5-flash-preview"), ratio: 5.8333 },
  { when: is("gemini-2.5-flash"), ratio: 8.3333 },
  { when: starts("gemini-3-pro-image"), ratio: 60 },
  { when: starts("gemini-3-pro"), ratio: 6 },
  { when: starts("gemini"), ratio: 4 },
  { when: is("command-r"), ratio: 3 },
  { when: is("command-r-plus"), ratio: 5 },
  { when: starts("command"), ratio: 4 },
  { when: (name) => is("deepseek-chat", "deepseek-reasoner")(name.toLowerCase()), ratio: 4 },
  { when: starts("ERNIE-Speed-", "ERNIE-Lite-", "ERNIE-Character", "ERNIE-Functions"), ratio: 2 },
  { when: is("llama2-70b-4096"), ratio: 1.25 },
  { when: is("llama3-8b-8192"), ratio: 2 },
  { when: is("llama3-70b-8192"), ratio: 1.339 },
];

/** The default completion ratio of a model; 1 for unknown names. Rules as in the new-api family. */
export function builtInCompletionRatio(name: string): number {
  return RULES.find((rule) => rule.when(name))?.ratio ?? 1;
}
