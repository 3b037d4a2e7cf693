import { NO_USAGE, type TokenUsage } from "@turnpike/contract/pricing/quota";
import { withParts } from "@turnpike/contract/pricing/usage";
import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects, asText } from "../../core/chat/json.ts";
import { estimateTokens, collectFieldText } from "../../accounting/tokens/token-estimate.ts";
import type { InspectedFrame } from "./realtime-events.ts";

type Format = "pcm" | "g711";

const BYTES_A_SECOND: Readonly<Record<Format, number>> = { pcm: 48_000, g711: 8_000 };
/** Estimated tokens per minute of audio. */
const INPUT_TOKENS_A_MINUTE = 100 / 0.06;
const OUTPUT_TOKENS_A_MINUTE = 200 / 0.24;
/** Names and braces of a frame around its audio. */
const AUDIO_OVERHEAD_BYTES = 60;

const countAudioTokens = (bytes: number, format: Format, aMinute: number): number =>
  Math.round((bytes / BYTES_A_SECOND[format] / 60) * aMinute);

const audioBytes = (frameBytes: number): number => Math.max(0, ((frameBytes - AUDIO_OVERHEAD_BYTES) * 3) / 4);

/** Complete recordings inside an item. */
const recordedBytes = (item: Json | undefined): number =>
  asObjects(item?.["content"]).reduce((sum, { audio }) => sum + ((asText(audio)?.length ?? 0) * 3) / 4, 0);

function getAudioFormat(value: unknown): Format | undefined {
  const name = typeof value === "string" ? value : asObject(value)?.["type"];
  if (typeof name !== "string") return undefined;
  return /g711|pcmu|pcma/.test(name) ? "g711" : "pcm";
}

export type AudioTokens = ReturnType<typeof createAudioTokens>;

/**
 * Estimates the audio and text since the last response with reported usage: for upstreams that report none, and for
 * responses that are cut off. Based on length, without decoding.
 */
export function createAudioTokens() {
  const formats: { input: Format; output: Format } = { input: "pcm", output: "pcm" };
  let inputBytes = 0;
  let outputBytes = 0;
  let inputTextTokens = 0;
  let outputTextTokens = 0;

  const readFormats = (event: Json | undefined): void => {
    const session = asObject(event?.["session"]);
    const audio = asObject(session?.["audio"]);
    const of = (side: "input" | "output"): Format | undefined =>
      getAudioFormat(session?.[`${side}_audio_format`]) ?? getAudioFormat(asObject(audio?.[side])?.["format"]);
    formats.input = of("input") ?? formats.input;
    formats.output = of("output") ?? formats.output;
  };
  return {
    fromClient({ type, event }: InspectedFrame, bytes: number): void {
      if (type === "input_audio_buffer.append") inputBytes += audioBytes(bytes);
      else if (event && /^(conversation\.item\.create|response\.create|session\.update)$/.test(type)) {
        inputTextTokens += estimateTokens(collectFieldText(event, ["item", "response", "session"]).text);
        inputBytes += recordedBytes(asObject(event["item"]));
      }
    },
    fromUpstream({ type, event }: InspectedFrame, bytes: number): void {
      if (type.startsWith("session.")) readFormats(event);
      else if (type.endsWith("audio.delta")) outputBytes += audioBytes(bytes);
      else if (/^response\.(output_)?text\.delta$|^response\.function_call_arguments\.delta$/.test(type))
        outputTextTokens += estimateTokens(asText(event?.["delta"]) ?? "");
    },
    /** Returns the counts and resets them. */
    take(): TokenUsage {
      const audioPromptTokens = countAudioTokens(inputBytes, formats.input, INPUT_TOKENS_A_MINUTE);
      const audioCompletionTokens = countAudioTokens(outputBytes, formats.output, OUTPUT_TOKENS_A_MINUTE);
      const usage = withParts(
        {
          ...NO_USAGE,
          promptTokens: audioPromptTokens + inputTextTokens,
          completionTokens: audioCompletionTokens + outputTextTokens,
        },
        {
          audioPromptTokens,
          audioCompletionTokens,
        },
      );
      inputBytes = outputBytes = inputTextTokens = outputTextTokens = 0;
      return usage;
    },
  };
}
