import type { Json } from "../../../core/chat/chat.ts";
import { asList, asObject } from "../../../core/chat/json.ts";
import { isEncodedReasoning } from "../../../core/chat/encrypted-reasoning.ts";
import { NO_SIGNATURE } from "./gemini-contents.ts";
import { geminiTraits } from "./gemini-models.ts";

const hasSeal = (part: unknown): boolean => isEncodedReasoning(asObject(part)?.["thoughtSignature"]);

/**
 * Removes signatures that carry another model's reasoning from a caller's conversation (the caller changed the model):
 * Google refuses them. Returns the same object if there are none.
 */
export function withoutForeignSignatures(body: Json, model: string): Json {
  const contents = asList(body["contents"]);
  if (!contents.some((content) => asList(asObject(content)?.["parts"]).some(hasSeal))) return body;
  const replacement = geminiTraits(model).isThirdGeneration ? { thoughtSignature: NO_SIGNATURE } : {};
  const signedAnew = (part: unknown): unknown => {
    if (!hasSeal(part)) return part;
    const { thoughtSignature: _signature, ...rest } = asObject(part) ?? {};
    return { ...rest, ...replacement };
  };
  const cleaned = contents.map((content) => ({
    ...asObject(content),
    parts: asList(asObject(content)?.["parts"]).map(signedAnew),
  }));
  return { ...body, contents: cleaned };
}
