import type { ReportLine } from "@turnpike/proto/channel/v1/channel_report_service";
import type { Json } from "../../core/chat/chat.ts";
import { asObject, asText } from "../../core/chat/json.ts";
import type { Target } from "../contract/target.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import {
  DAY_SECONDS,
  getReportBase,
  readBuckets,
  readCount,
  readNanodollars,
  readTier,
  toCostLine,
  toUsageLine,
  type UsageReport,
} from "./usage-report.ts";

/** What the lines of a bill call the kinds of tokens: "gpt-4o-2024-08-06, cached input". */
const BILLED_KINDS: Readonly<Record<string, string>> = {
  input: "input",
  output: "output",
  "cached input": "cache_read",
  "input cached": "cache_read",
  "cache write": "cache_write",
  "cache writes": "cache_write",
  "audio input": "audio_input",
  "input audio": "audio_input",
  "audio output": "audio_output",
  "output audio": "audio_output",
};

/** The kinds of a line whose model is followed by what its tokens are: "gpt-image-1 image, output". */
const MODALITY_KINDS: Readonly<Record<string, string>> = {
  "image input": "image_input",
  "image output": "image_output",
  "image cached input": "image_cache_read",
  "audio input": "audio_input",
  "audio output": "audio_output",
  "audio cached input": "audio_cache_read",
};

const LINE_ITEM = /^(?<model>\S+)(?: (?<modality>text|image|audio))?,\s*(?<kind>[a-z -]+)$/i;
/** A line for a whole model: "whisper". */
const WHOLE_MODEL = /^[a-z][\w.-]*$/;

function readKind(modality: string, kind: string): string {
  const known = modality === "" || modality === "text" ? BILLED_KINDS[kind] : MODALITY_KINDS[`${modality} ${kind}`];
  return known ?? "";
}

function readCost(result: Json): readonly ReportLine[] {
  const amount = asObject(result["amount"]);
  if (!amount || (asText(amount["currency"]) ?? "usd").toLowerCase() !== "usd") throw unreadableResponse();
  const label = asText(result["line_item"]) ?? "";
  const cost = readNanodollars(amount["value"]);
  if (/web search/i.test(label)) return [toCostLine({ model: "", kind: "web_search", label }, cost)];
  if (WHOLE_MODEL.test(label)) return [toCostLine({ model: label, kind: "", label }, cost)];
  const { model, modality = "", kind } = LINE_ITEM.exec(label)?.groups ?? {};
  if (model === undefined || kind === undefined) return [toCostLine({ model: "", kind: "", label }, cost)];
  return [toCostLine({ model, kind: readKind(modality.toLowerCase(), kind.toLowerCase()), label }, cost)];
}

/**
 * `input_tokens` includes cached tokens, those written to the cache, audio and images; `output_tokens` audio and images. The counts of
 * audio and images in the input exclude cached ones.
 */
function readUsage(result: Json): readonly ReportLine[] {
  const model = asText(result["model"]) ?? "";
  const tier = result["batch"] === true ? "batch" : readTier(result["service_tier"]);
  const count = (field: string): number => readCount(result, field);
  const parts = {
    audio_input: count("input_audio_tokens"),
    image_input: count("input_image_tokens"),
    cache_write: count("input_cache_write_tokens"),
    audio_cache_read: count("input_cached_audio_tokens"),
    image_cache_read: count("input_cached_image_tokens"),
  };
  const produced = { audio_output: count("output_audio_tokens"), image_output: count("output_image_tokens") };
  const cached = count("input_cached_tokens");
  const plainInput = count("input_tokens") - cached - parts.cache_write - parts.audio_input - parts.image_input;
  const counts = {
    input: Math.max(0, plainInput),
    cache_read: Math.max(0, cached - parts.audio_cache_read - parts.image_cache_read),
    ...parts,
    output: Math.max(0, count("output_tokens") - produced.audio_output - produced.image_output),
    ...produced,
    requests: count("num_model_requests"),
  };
  return Object.entries(counts)
    .filter(([, tokens]) => tokens !== 0)
    .map(([kind, tokens]) => toUsageLine({ model, kind, tier }, tokens));
}

/** Speech whose characters count as its tokens; other speech models report tokens with completions. */
const SPEECH_BY_CHARACTERS = /^tts-1/;

/** The usage of an endpoint other than completions: tokens of the prompt, or characters of speech. */
function readOtherUsage(result: Json): readonly ReportLine[] {
  const model = asText(result["model"]) ?? "";
  const characters = SPEECH_BY_CHARACTERS.test(model) ? readCount(result, "characters") : 0;
  const counts = {
    input: readCount(result, "input_tokens") + characters,
    requests: readCount(result, "num_model_requests"),
  };
  return Object.entries(counts)
    .filter(([, tokens]) => tokens !== 0)
    .map(([kind, tokens]) => toUsageLine({ model, kind, tier: "" }, tokens));
}

/**
 * The endpoints other than completions that report tokens or characters. Image generations and transcriptions report neither: these are
 * compared by their cost.
 */
const OTHER_USAGE = ["embeddings", "moderations", "audio_speeches"] as const;

function toPlace(target: Target, path: string, query: readonly (readonly [string, string])[]) {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  return {
    url: `${getReportBase(target, "https://api.openai.com")}/v1/organization/${path}?${search.toString()}`,
    headers: { authorization: `Bearer ${target.key}` },
  };
}

/**
 * OpenAI's costs by line item, and the usage by model; that of completions also by batch and service tier
 * (https://platform.openai.com/docs/api-reference/usage). The key is an organization's admin key.
 */
export const openAiUsageReport: UsageReport = {
  kinds: [
    "input",
    "cache_read",
    "cache_write",
    "audio_input",
    "audio_cache_read",
    "image_input",
    "image_cache_read",
    "output",
    "audio_output",
    "image_output",
    "web_search",
  ],
  hasTiers: true,
  queries(daySeconds) {
    const span = (page: string | undefined): [string, string][] => [
      ["start_time", String(daySeconds)],
      ["end_time", String(daySeconds + DAY_SECONDS)],
      ["bucket_width", "1d"],
      ...(page === undefined ? [] : ([["page", page]] as [string, string][])),
    ];
    const groups = ["model", "batch", "service_tier"].map((name): [string, string] => ["group_by[]", name]);
    return [
      {
        place: (target, page) =>
          toPlace(target, "costs", [...span(page), ["group_by[]", "line_item"], ["limit", "180"]]),
        read: (body) => readBuckets(body, readCost),
      },
      {
        place: (target, page) => toPlace(target, "usage/completions", [...span(page), ...groups, ["limit", "31"]]),
        read: (body) => readBuckets(body, readUsage),
      },
      ...OTHER_USAGE.map((name) => ({
        place: (target: Target, page: string | undefined) =>
          toPlace(target, `usage/${name}`, [...span(page), ["group_by[]", "model"], ["limit", "31"]]),
        read: (body: unknown) => readBuckets(body, readOtherUsage),
      })),
    ];
  },
};
