import type { Json } from "./chat.ts";
import { asList, asObject, asObjects, asText, compact, parseJson } from "./json.ts";
import { isSignedReasoning, type ReasoningPart } from "./reasoning.ts";

/**
 * Distinguishes this gateway's encoded reasoning from OpenAI's and Google's; nine bytes, so that its base64 has no
 * padding.
 */
const MARK = "turnpike:";
const MARK_BASE64 = Buffer.from(MARK).toString("base64");
const ENCRYPTED = "encrypted_content";

/** Encodes the reasoning parts that their provider signed as one opaque text; undefined if none is signed. */
export function seal(thoughts: readonly ReasoningPart[]): string | undefined {
  const signed = thoughts.filter(isSignedReasoning);
  return signed.length === 0 ? undefined : Buffer.from(MARK + JSON.stringify(signed)).toString("base64");
}

/** Whether this gateway encoded a text. */
export const isEncodedReasoning = (value: unknown): boolean => asText(value)?.startsWith(MARK_BASE64) === true;

function readThought({ text, signature, data }: Json): ReasoningPart[] {
  if (typeof data === "string") return [{ type: "redacted-reasoning", data }];
  return typeof text === "string" && typeof signature === "string" ? [{ type: "reasoning", text, signature }] : [];
}

/** Decodes the reasoning in a text that this gateway encoded; empty for any other text. */
export function decodeReasoning(value: unknown): ReasoningPart[] {
  if (!isEncodedReasoning(value)) return [];
  const text = Buffer.from(String(value), "base64").toString("utf8").slice(MARK.length);
  return asObjects(parseJson(text)).flatMap(readThought);
}

/** Whether a caller requests encrypted reasoning (`include`), as OpenAI clients do that do not store responses. */
export const wantsEncryptedReasoning = (asked: Json | undefined): boolean =>
  asList(asked?.["include"]).includes(`reasoning.${ENCRYPTED}`);

/** The field of a reasoning item that carries the reasoning to the next call; empty if no provider requires it back. */
export const encryptedField = (thought: ReasoningPart): Json => compact({ [ENCRYPTED]: seal([thought]) });

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
