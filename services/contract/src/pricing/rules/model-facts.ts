import type { LiteLlmEntry } from "./litellm-rules.ts";
import type { PriceRule } from "./price-rule.ts";

/** What a catalogue knows about a model except its price. Lengths are tokens, `deprecated_on` is a day. */
export type ModelFacts = {
  readonly mode?: string;
  readonly context?: number;
  readonly max_output?: number;
  readonly input?: readonly string[];
  readonly output?: readonly string[];
  readonly tools?: true;
  readonly reasoning?: true;
  readonly deprecated_on?: string;
};

/** A model of a catalogue; `provider` is the maker or host by LiteLLM's name, "" where no catalogue lists it. */
export type CatalogueModel = ModelFacts & { readonly provider: string; readonly price: PriceRule };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const toCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;

const toNames = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((name) => typeof name === "string") ? value : undefined;

const FLAGS: readonly (readonly [field: string, modality: string])[] = [
  ["supports_vision", "image"],
  ["supports_pdf_input", "pdf"],
  ["supports_audio_input", "audio"],
  ["supports_video_input", "video"],
];

function readInputKinds(entry: LiteLlmEntry): readonly string[] | undefined {
  const named = toNames(entry["supported_modalities"]);
  if (named) return named;
  if (entry["mode"] !== "chat" && entry["mode"] !== "responses") return undefined;
  return ["text", ...FLAGS.filter(([field]) => entry[field] === true).map(([, modality]) => modality)];
}

/** The facts of an entry of LiteLLM's list. */
export function toModelFacts(entry: LiteLlmEntry): ModelFacts {
  const deprecated = entry["deprecation_date"];
  const facts = {
    mode: typeof entry["mode"] === "string" ? entry["mode"] : undefined,
    context: toCount(entry["max_input_tokens"] ?? entry["max_tokens"]),
    max_output: toCount(entry["max_output_tokens"]),
    input: readInputKinds(entry),
    output: toNames(entry["supported_output_modalities"]),
    tools: entry["supports_function_calling"] === true ? (true as const) : undefined,
    reasoning: entry["supports_reasoning"] === true ? (true as const) : undefined,
    deprecated_on: typeof deprecated === "string" && DAY.test(deprecated) ? deprecated : undefined,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
