import { existsSync, readFileSync } from "node:fs";
import type { StreamPart } from "../../core/chat/chat.ts";
import { createFrameSplitter } from "../../upstream/frame-splitter.ts";
import type { ProviderSettings, Target } from "../contract/target.ts";
import type { FrameSplitter, StreamReader } from "../../core/wire/stream.ts";

/** For tests: a non-streaming response as the provider sent it. */
export const readResponse = (provider: string, name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${provider}/__fixtures__/${name}.json`, import.meta.url), "utf8"));

/** For tests: the bytes of a stream as the provider sent them; binary streams have a file extension of their own. */
export function readStreamBytes(provider: string, name: string): Buffer {
  const file = new URL(`../${provider}/__fixtures__/${name}.chunks.txt`, import.meta.url);
  return readFileSync(
    existsSync(file) ? file : new URL(`../${provider}/__fixtures__/${name}.chunks.bin`, import.meta.url),
  );
}

/** For tests: all parts of a stream whose bytes arrive in chunks of `pieceBytes`, including the end. */
export function readParts(
  reader: StreamReader,
  bytes: Buffer,
  pieceBytes = bytes.length,
  splitter: FrameSplitter = createFrameSplitter(),
): StreamPart[] {
  const parts: StreamPart[] = [];
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    for (const { event } of splitter.push(bytes.subarray(from, from + pieceBytes))) {
      if (event) parts.push(...reader.read(event));
    }
  }
  const last = splitter.end()?.event;
  if (last) parts.push(...reader.read(last));
  return [...parts, ...reader.end()];
}

/** For tests: the site's options with their defaults. */
export const DEFAULT_SETTINGS: ProviderSettings = {
  claudeDefaultMaxTokens: { default: 8192 },
  claudeModelHeaders: {},
  claudeCacheBreakpoints: false,
  claudeThinkingAdapter: { enabled: true, budgetShare: 0.8 },
  geminiSafetySettings: { default: "OFF", HARM_CATEGORY_HARASSMENT: "BLOCK_NONE" },
  geminiVersionSettings: { default: "v1beta", "gemini-1.0-pro": "v1" },
  geminiImageModels: ["gemini-2.0-flash-exp"],
  geminiThinkingAdapter: { enabled: false, budgetShare: 0.6, models: ["gemini-2.5-flash", "gemini-2.5-pro"] },
  siteAddress: "",
};

/** For tests: a target with defaults except the given fields. */
export const targetFor = (given: Partial<Target>): Target => ({
  channelType: 1,
  baseUrl: "",
  key: "sk-upstream",
  model: "gpt-4o",
  organization: "",
  other: "",
  clientHeaders: {},
  settings: DEFAULT_SETTINGS,
  ...given,
});
