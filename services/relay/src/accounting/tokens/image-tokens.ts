import type { ImageSize } from "./image-size.ts";

/** Default tokens of an image of unknown size: OpenAI's for a square, Anthropic's, Google's for a small one. */
const UNKNOWN_SIZE: ImageSize = { width: 1024, height: 1024 };
const CLAUDE_UNKNOWN = 1000;
const GEMINI_TILE = 258;
const GLM_4V = 1047;

/** OpenAI's older formula: tiles of 512 pixels after scaling the short side to 768. */
type Tiles = { readonly base: number; readonly tile: number };
/** The newer formula: patches of 32 pixels, with a maximum number and a cost per patch. */
type Patches = { readonly ratio: number };

const TILES: readonly (readonly [pattern: RegExp, tiles: Tiles])[] = [
  [/^gpt-4o-mini/, { base: 2833, tile: 5667 }],
  [/^(o1|o3)(?!-mini)/, { base: 75, tile: 150 }],
  [/^gpt-5/, { base: 70, tile: 140 }],
  [/^(gpt-image|computer-use)/, { base: 65, tile: 129 }],
];
const TILES_DEFAULT: Tiles = { base: 85, tile: 170 };
const PATCHES: readonly (readonly [pattern: RegExp, patches: Patches])[] = [
  [/^(gpt-5|gpt-4\.1)[\w.]*-mini/, { ratio: 1.62 }],
  [/^(gpt-5|gpt-4\.1)[\w.]*-nano/, { ratio: 2.46 }],
  [/^o4-mini/, { ratio: 1.72 }],
];
const PATCHES_MAX = 1536;

function shrink({ width, height }: ImageSize, factor: number): ImageSize {
  return factor >= 1 ? { width, height } : { width: width * factor, height: height * factor };
}

/** Rounding errors of the scaling must not add a tile. */
const pieces = (length: number, piece: number): number => Math.max(1, Math.ceil(length / piece - 1e-9));

function tiled(size: ImageSize, detail: string | undefined, { base, tile }: Tiles): number {
  if (detail === "low") return base;
  const fitted = shrink(size, 2048 / Math.max(size.width, size.height));
  const { width, height } = shrink(fitted, 768 / Math.min(fitted.width, fitted.height));
  return base + tile * pieces(width, 512) * pieces(height, 512);
}

const patched = ({ width, height }: ImageSize, { ratio }: Patches): number =>
  Math.ceil(Math.min(pieces(width, 32) * pieces(height, 32), PATCHES_MAX) * ratio);

function ofClaude(size: ImageSize | undefined): number {
  if (!size) return CLAUDE_UNKNOWN;
  const { width, height } = shrink(size, 1568 / Math.max(size.width, size.height));
  return Math.min(1600, Math.ceil((width * height) / 750));
}

function ofGemini(size: ImageSize | undefined): number {
  if (!size || (size.width <= 384 && size.height <= 384)) return GEMINI_TILE;
  return GEMINI_TILE * pieces(size.width, 768) * pieces(size.height, 768);
}

/**
 * The approximate tokens of an image for a model; `size` is undefined if unknown. The formulas are the providers' own.
 */
export function imageTokens(name: string, size: ImageSize | undefined, detail: string | undefined): number {
  const model = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  if (model.includes("claude")) return ofClaude(size);
  if (/gemini|gemma/.test(model)) return ofGemini(size);
  if (model.startsWith("glm-4v")) return GLM_4V;
  const patches = PATCHES.find(([pattern]) => pattern.test(model))?.[1];
  const shown = size ?? UNKNOWN_SIZE;
  if (patches) return patched(shown, patches);
  return tiled(shown, detail, TILES.find(([pattern]) => pattern.test(model))?.[1] ?? TILES_DEFAULT);
}
