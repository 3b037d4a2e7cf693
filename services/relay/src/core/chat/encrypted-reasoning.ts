import type { Json } from "./chat.ts";
import { asList, asObject, asObjects, asText, compact, parseJson } from "./json.ts";
import { isSignedThought, type Thought } from "./reasoning.ts";

/** Tells what this gateway sealed from what OpenAI or Google made; nine bytes, so that its base64 stands by itself. */
const MARK = "turnpike:";
const MARK_BASE64 = Buffer.from(MARK).toString("base64");
const ENCRYPTED = "encrypted_content";

/** Thoughts that their provider signed as one text that callers keep without reading it; undefined where none is signed. */
export function seal(thoughts: readonly Thought[]): string | undefined {
  const signed = thoughts.filter(isSignedThought);
  return signed.length === 0 ? undefined : Buffer.from(MARK + JSON.stringify(signed)).toString("base64");
}

/** Whether this gateway sealed a text. */
export const isSealed = (value: unknown): boolean => asText(value)?.startsWith(MARK_BASE64) === true;

function readThought({ text, signature, data }: Json): Thought[] {
  if (typeof data === "string") return [{ type: "redacted-reasoning", data }];
  return typeof text === "string" && typeof signature === "string" ? [{ type: "reasoning", text, signature }] : [];
}

/** The thoughts in a text that this gateway sealed; none in any other. */
export function unseal(value: unknown): Thought[] {
  if (!isSealed(value)) return [];
  const text = Buffer.from(String(value), "base64").toString("utf8").slice(MARK.length);
  return asObjects(parseJson(text)).flatMap(readThought);
}

/** Whether a caller wants thoughts in a form that it can send back, as clients of OpenAI do that store nothing (`include`). */
export const wantsSealed = (asked: Json | undefined): boolean =>
  asList(asked?.["include"]).includes(`reasoning.${ENCRYPTED}`);

/** The field of a reasoning item that holds its thought for the next call; nothing where no provider wants it back. */
export const encryptedField = (thought: Thought): Json => compact({ [ENCRYPTED]: seal([thought]) });

/** The thoughts that a reasoning item brings back. */
export const thoughtsOfItem = (item: Json): Thought[] => unseal(item[ENCRYPTED]);

/** The names that this gateway gives to thoughts: those of a call (a ULID), which OpenAI's are not. */
const OWN_ID = /^rs_[0-9A-HJKMNP-TV-Z]{26}(_\d+)?$/;

const isOwnItem = (item: Json): boolean =>
  isSealed(item[ENCRYPTED]) || (!item[ENCRYPTED] && OWN_ID.test(asText(item["id"]) ?? ""));

/**
 * A body without the reasoning items that this gateway made: OpenAI cannot read them, knows none of that name and refuses the call, when
 * the conversation moved there from another model. The very same object where there are none.
 */
export function withoutOwnThoughts(body: Json): Json {
  const input = asList(body["input"]);
  const kept = input.filter((item) => !isOwnItem(asObject(item) ?? {}));
  return kept.length === input.length ? body : { ...body, input: kept };
}
