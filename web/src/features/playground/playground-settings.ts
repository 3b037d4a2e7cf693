import { isRecord } from "../../lib/check.ts";
import { storage } from "../../lib/storage.ts";

export type PlaygroundSettings = {
  readonly model: string;
  /** Empty for the person's own group. */
  readonly group: string;
  /** 0 leaves it to the model, from 0.1 to 1. */
  readonly temperature: number;
  /** 0 for no bound. */
  readonly maxTokens: number;
  /** Undefined until somebody wrote one. */
  readonly systemPrompt: string | undefined;
  readonly stream: boolean;
};

const STORAGE_KEY = "playground";
const DEFAULT_MODEL = "gpt-4o-mini";

/** Settings from whatever was stored; what does not fit has its default. */
export function readSettings(stored: unknown): PlaygroundSettings {
  const { model, group, temperature, maxTokens, systemPrompt, stream } = isRecord(stored)
    ? stored
    : ({} as Record<string, unknown>);
  const isWarm = typeof temperature === "number" && temperature >= 0 && temperature <= 1;
  return {
    model: typeof model === "string" && model !== "" ? model : DEFAULT_MODEL,
    group: typeof group === "string" ? group : "",
    temperature: isWarm ? temperature : 0,
    maxTokens: Number.isSafeInteger(maxTokens) && Number(maxTokens) > 0 ? Number(maxTokens) : 0,
    systemPrompt: typeof systemPrompt === "string" ? systemPrompt : undefined,
    stream: typeof stream === "boolean" ? stream : true,
  };
}

export const loadSettings = (): PlaygroundSettings => readSettings(storage.readJson(STORAGE_KEY));
export const storeSettings = (settings: PlaygroundSettings): void =>
  storage.write(STORAGE_KEY, JSON.stringify(settings));
