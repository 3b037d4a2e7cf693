import type { Json } from "./chat.ts";
import { asList, asObject, asText, compact } from "./json.ts";
import { decodeObjects, encodeObjects, isEncoded } from "./encoded-text.ts";
import { isSignedReasoning, type ReasoningPart } from "./reasoning.ts";

const ENCRYPTED = "encrypted_content";

/** Encodes the reasoning parts that their provider signed as one opaque text; undefined if none is signed. */
export function seal(reasoning: readonly ReasoningPart[]): string | undefined {
  const signed = reasoning.filter(isSignedReasoning);
  return signed.length === 0 ? undefined : encodeObjects(signed);
}

/** Whether this gateway encoded a text. */
export const isEncodedReasoning = isEncoded;

function readReasoning({ text, signature, data }: Json): ReasoningPart[] {
  if (typeof data === "string") return [{ type: "redacted-reasoning", data }];
  return typeof text === "string" && typeof signature === "string" ? [{ type: "reasoning", text, signature }] : [];
}

/** Decodes the reasoning in a text that this gateway encoded; empty for any other text. */
export const decodeReasoning = (value: unknown): ReasoningPart[] => decodeObjects(value).flatMap(readReasoning);

/** Whether a caller requests encrypted reasoning (`include`), as OpenAI clients do that do not store responses. */
export const requestsEncryptedReasoning = (requested: Json | undefined): boolean =>
  asList(requested?.["include"]).includes(`reasoning.${ENCRYPTED}`);

/** The field of a reasoning item that carries the reasoning to the next call; empty if no provider requires it back. */
export const encryptedField = (reasoning: ReasoningPart): Json => compact({ [ENCRYPTED]: seal([reasoning]) });

/** The reasoning carried by a reasoning item. */
export const parseItemReasoning = (item: Json): ReasoningPart[] => decodeReasoning(item[ENCRYPTED]);

/** Ids that this gateway assigns to reasoning items: the call's id (a ULID), a form that OpenAI does not use. */
const OWN_ID = /^rs_[0-9A-HJKMNP-TV-Z]{26}(_\d+)?$/;

const isOwnItem = (item: Json): boolean =>
  isEncodedReasoning(item[ENCRYPTED]) || (!item[ENCRYPTED] && OWN_ID.test(asText(item["id"]) ?? ""));

/**
 * Removes the reasoning items that this gateway created: when a conversation moves to OpenAI from another model, OpenAI
 * cannot read them and refuses their ids. Returns the same object if there are none.
 */
export function removeOwnReasoning(body: Json): Json {
  const input = asList(body["input"]);
  const kept = input.filter((item) => !isOwnItem(asObject(item) ?? {}));
  return kept.length === input.length ? body : { ...body, input: kept };
}
