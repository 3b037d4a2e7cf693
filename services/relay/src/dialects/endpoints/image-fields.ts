import { type ImagePieces, isPaidByTile, TILED_SIDE_DEFAULT } from "@turnpike/contract/pricing/image-price";
import type { Json } from "../../core/chat/chat.ts";
import { asText } from "../../core/chat/json.ts";
import { invalidField, optionalText } from "../shared/fields.ts";
import { getModel } from "./endpoint-fields.ts";

export const IMAGE_MODEL_DEFAULT = "dall-e-2";
const SIZE_DEFAULT = "1024x1024";
const COUNT_MAX = 10;

const SIZES: Readonly<Record<string, readonly string[]>> = {
  "dall-e": ["256x256", "512x512", "1024x1024"],
  "dall-e-2": ["256x256", "512x512", "1024x1024"],
  "dall-e-3": ["1024x1024", "1024x1792", "1792x1024"],
};

/** Hundredths of a base image's price. */
const SIZE_HUNDREDTHS: Readonly<Record<string, number>> = {
  "256x256": 40,
  "512x512": 45,
  "1024x1792": 200,
  "1792x1024": 200,
};
const LARGE = new Set(["1024x1792", "1792x1024"]);

/** The number of requested images; 0 and absent mean one. Throws invalid_request for an invalid number. */
export function imageCount(body: Json): number {
  const value = body["n"] ?? 0;
  const count = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof count !== "number" || !Number.isInteger(count) || count < 0 || count > COUNT_MAX) {
    throw invalidField("n", `must be a whole number from 1 to ${COUNT_MAX}`);
  }
  return count === 0 ? 1 : count;
}

/** Refuses sizes that the model does not support before a hold is placed. */
export function checkImageSize(body: Json, model: string): void {
  const size = optionalText(body["size"], "size") || SIZE_DEFAULT;
  if (size.includes("×")) throw invalidField("size", "must be written with the letter x");
  const known = SIZES[model];
  if (known && !known.includes(size)) throw invalidField("size", `must be one of ${known.join(", ")}`);
}

/** xAI's images have a resolution; the other fields are not sent to it. */
const RESOLUTION_DEFAULT = "1k";

/** The requested images, for models with prices by quality and size. */
export const imagePieces = (body: Json): ImagePieces => ({
  count: imageCount(body),
  quality: asText(body["quality"]) ?? "",
  size: asText(body["size"]) ?? "",
  resolution: asText(body["resolution"])?.toLowerCase() || RESOLUTION_DEFAULT,
});

/** Four tiles equal one base image. */
const TILE = 512;
const HUNDREDTHS_PER_TILE = 25;

const getTiles = (side: unknown): number => Math.ceil(Math.max(1, Number(side ?? 0) || TILED_SIDE_DEFAULT) / TILE);

function sizeHundredths(body: Json, model: string, size: string): number {
  if (!isPaidByTile(model)) return SIZE_HUNDREDTHS[size] ?? 100;
  const [, width, height] = /^(\d+)x(\d+)$/.exec(asText(body["size"]) ?? "") ?? [];
  return getTiles(width ?? body["width"]) * getTiles(height ?? body["height"]) * HUNDREDTHS_PER_TILE;
}

/** Units are rounded to millionths. */
const UNIT_PARTS = 1_000_000;

/**
 * The price of a call in plain images: size × quality × number. Whole numbers until the last step, so that it is exact. If
 * another number was `delivered` than requested, that number counts.
 */
export function imageUnits(body: Json, delivered?: number): number {
  const units = requestedUnits(body);
  const count = imageCount(body);
  if (delivered === undefined || delivered === count) return units;
  return Math.round((units * delivered * UNIT_PARTS) / count) / UNIT_PARTS;
}

function requestedUnits(body: Json): number {
  const size = asText(body["size"]) || SIZE_DEFAULT;
  const model = getModel(body, undefined, IMAGE_MODEL_DEFAULT);
  const isFine = model === "dall-e-3" && body["quality"] === "hd";
  const qualityHalves = isFine ? (LARGE.has(size) ? 3 : 4) : 2;
  return (sizeHundredths(body, model, size) * qualityHalves * imageCount(body)) / 200;
}
