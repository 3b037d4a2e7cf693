import { z } from "zod/mini";
import { isRecord } from "../../lib/record.ts";
import { storage } from "../../lib/storage.ts";

export type PlaygroundSettings = {
  readonly model: string;
  /** Empty for the user's own group. */
  readonly group: string;
  /** False for the model's default. */
  readonly hasTemperature: boolean;
  /** 0 to 2. */
  readonly temperature: number;
  /** 0 for no limit. */
  readonly maxTokens: number;
  /** Undefined until the user enters one. */
  readonly systemPrompt: string | undefined;
  readonly stream: boolean;
};

export const TEMPERATURE_MAX = 2;
const TEMPERATURE_DEFAULT = 1;
const STORAGE_KEY = "playground";
const DEFAULT_MODEL = "gpt-4o-mini";

/** Settings from stored data; invalid values have their default. */
export function readSettings(stored: unknown): PlaygroundSettings {
  const { model, group, hasTemperature, temperature, maxTokens, systemPrompt, stream } = isRecord(stored)
    ? stored
    : ({} as Record<string, unknown>);
  const isWarm = typeof temperature === "number" && temperature >= 0 && temperature <= TEMPERATURE_MAX;
  return {
    model: typeof model === "string" && model !== "" ? model : DEFAULT_MODEL,
    group: typeof group === "string" ? group : "",
    // Before it could be chosen, 0 was the default.
    hasTemperature: isWarm && (typeof hasTemperature === "boolean" ? hasTemperature : temperature > 0),
    temperature: isWarm ? temperature : TEMPERATURE_DEFAULT,
    maxTokens: Number.isSafeInteger(maxTokens) && Number(maxTokens) > 0 ? Number(maxTokens) : 0,
    systemPrompt: typeof systemPrompt === "string" ? systemPrompt : undefined,
    stream: typeof stream === "boolean" ? stream : true,
  };
}

export const loadSettings = (): PlaygroundSettings => readSettings(storage.readJson(STORAGE_KEY, z.unknown()));
export const storeSettings = (settings: PlaygroundSettings): void =>
  storage.write(STORAGE_KEY, JSON.stringify(settings));
