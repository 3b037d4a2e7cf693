import { CATALOGUE_MODEL_LISTS } from "./catalogue-model-lists.ts";
import { CHANNEL_TYPES } from "../channels/channel-types.ts";
import { DEFAULT_MODEL_LISTS } from "./default-model-lists.ts";

/** Types that serve the models of other types under their names: Azure, Bedrock and Vertex. */
const SERVES: Readonly<Record<number, readonly number[]>> = { 3: [1], 33: [14], 41: [24, 14] };

/**
 * The default models of a new channel of a type: those of the catalogue, then a manual list of what it lacks; none where the account
 * decides (custom, OpenRouter, Dify).
 */
export function getDefaultModels(type: number): readonly string[] {
  const listed = (SERVES[type] ?? [type]).flatMap((served) => CATALOGUE_MODEL_LISTS[String(served)] ?? []);
  return [...new Set([...listed, ...(DEFAULT_MODEL_LISTS[type] ?? [])])];
}

/** The default models of a new channel by type. */
export const DEFAULT_MODELS_BY_TYPE: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  CHANNEL_TYPES.map(({ id }) => [String(id), getDefaultModels(id)]),
);
