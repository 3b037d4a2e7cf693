import { PRESET_SOURCES, type PresetSource } from "@turnpike/contract/api/option";
import type { FetchPresetRatiosResponse } from "@turnpike/proto/auth/v1/site_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { z } from "zod";
import type { OptionReader } from "../options/option-reader.ts";
import { FetchFailure, type FetchJson } from "./json-document.ts";

const Ratios = z.record(z.string().min(1).max(255), z.number().min(0).max(1_000_000));
const MODELS_MAX = 10_000;

const failed = (detail: string, cause?: unknown): AppError =>
  new AppError("preset_fetch_failed", `preset ratios: ${detail}`, { params: { detail }, cause });

function parseSource(source: string): PresetSource {
  const known = PRESET_SOURCES.find((candidate) => candidate === source);
  if (!known)
    throw new AppError("preset_source_unknown", "no such source", { params: { source: source.slice(0, 50) } });
  return known;
}

/** Fetches price tables from the operator's source. They are returned, not stored. */
export function createPresetRatios(deps: { options: OptionReader; fetchJson: FetchJson }) {
  const readTable = async (address: string): Promise<Record<string, number>> => {
    const document = await deps.fetchJson(address).catch((error: unknown) => {
      throw error instanceof FetchFailure ? failed(error.message, error) : error;
    });
    const result = Ratios.safeParse(document);
    if (!result.success) throw failed(result.error.issues[0]?.path.join(".") || "table");
    if (Object.keys(result.data).length > MODELS_MAX) throw failed(`> ${MODELS_MAX}`);
    return result.data;
  };
  /** Throws preset_source_unknown, preset_address_missing, preset_fetch_failed or address_not_allowed. */
  return async function presetRatios(rawSource: string): Promise<FetchPresetRatiosResponse> {
    const source = parseSource(rawSource);
    const base = (await deps.options.inForce()).text("PresetRatioAddress");
    if (base === "") throw new AppError("preset_address_missing", "PresetRatioAddress is empty");
    if (source === "legacy")
      return { modelRatio: {}, completionRatio: await readTable(`${base}/completion.json`), hasModelRatio: false };
    const [modelRatio, completionRatio] = await Promise.all([
      readTable(`${base}/${source}/prompt.json`),
      readTable(`${base}/${source}/completion.json`),
    ]);
    return { modelRatio, completionRatio, hasModelRatio: true };
  };
}
