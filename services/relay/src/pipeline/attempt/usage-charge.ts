import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, parseJson } from "../../core/chat/json.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import type { StreamEvent } from "../../core/wire/stream.ts";

/**
 * Adds the charge in dollars as `cost` to the usage of a response or event, where OpenRouter's clients read it; undefined if it
 * has none. Chat, completions and Messages have `usage`, events of the Responses API have it in `response`, Google
 * calls it `usageMetadata`.
 */
function addCharge(body: Json, charge: string): Json | undefined {
  for (const name of ["usage", "usageMetadata"]) {
    const usage = asObject(body[name]);
    if (usage) return { ...body, [name]: { ...usage, cost: Number(charge) } };
  }
  const response = asObject(body["response"]);
  const inner = response && addCharge(response, charge);
  return inner && { ...body, response: inner };
}

/** The text of a JSON object with the charge in its usage; the same text if it has no usage. */
function addChargeToText(text: string, charge: string): string {
  const body = asObject(parseExactJson(text));
  const changed = body && addCharge(body, charge);
  return changed ? JSON.stringify(changed) : text;
}

/** A non-streaming response with the charge in its usage; the same bytes if it has no usage. */
export function addChargeToBody(body: string | Buffer, charge: string | undefined): string | Buffer {
  if (charge === undefined || body.length === 0) return body;
  const text = typeof body === "string" ? body : body.toString("utf8");
  const changed = addChargeToText(text, charge);
  return changed === text ? body : changed;
}

/** The data of an event, without the end of its line. */
const DATA_LINE = /(?<=^|[\r\n])data:([^\r\n]*)/g;

/**
 * Events as sent to the client, with the charge in the usage of each that has one. Line ends stay, since readers find the
 * end of an event by two equal ones: Google's events end with CRLF.
 */
export function addChargeToEvents(events: string | Buffer, charge: string | undefined): string | Buffer {
  if (charge === undefined) return events;
  return events.toString().replace(DATA_LINE, (_, data: string) => `data: ${addChargeToText(data.trim(), charge)}`);
}

/** Whether an event of any dialect ends a response and reports its usage: it waits for the charge. */
export function isFinalUsage({ data }: StreamEvent): boolean {
  if (!data.includes('"usage')) return false;
  const body = asObject(parseJson(data));
  if (!body) return false;
  if (body["type"] === "message_delta") return true;
  if (asObject(asObject(body["response"])?.["usage"])) return true;
  if (asObject(body["usageMetadata"])) return asList(body["candidates"]).some((one) => asObject(one)?.["finishReason"]);
  const choices = asList(body["choices"]);
  return asObject(body["usage"]) !== undefined && choices.every((one) => Boolean(asObject(one)?.["finish_reason"]));
}
