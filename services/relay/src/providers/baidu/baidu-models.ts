/** The last URL segment by model; for other models it is the name in lower case. */
const SLUGS: Readonly<Record<string, string>> = {
  "ERNIE-4.0": "completions_pro",
  "ERNIE-4.0-8K": "completions_pro",
  "ERNIE-Bot-4": "completions_pro",
  "ERNIE-Bot": "completions",
  "ERNIE-3.5-8K": "completions",
  "ERNIE-Bot-8K": "ernie_bot_8k",
  "ERNIE-Bot-turbo": "eb-instant",
  "ERNIE-Lite-8K-0922": "eb-instant",
  "ERNIE-Lite-8K-0308": "ernie-lite-8k",
  "ERNIE-Speed": "ernie_speed",
  "ERNIE-Speed-8K": "ernie_speed",
  "BLOOMZ-7B": "bloomz_7b1",
  "bge-large-zh": "bge_large_zh",
  "bge-large-en": "bge_large_en",
  "tao-8k": "tao_8k",
};

/** The URL segment of a model. */
export const getSlug = (model: string): string => SLUGS[model] ?? model.toLowerCase();
