import type { Choice } from "../../core/call/channel.ts";
import type { StoredFiles } from "../../core/call/dialect.ts";
import type { ResponseSeal } from "../../core/call/response-seal.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { formatEvent } from "../../core/wire/stream.ts";
import { isSameOwner } from "./opened-input.ts";
import type { OpenedState, StateCodec, StateOwner } from "./state-codec.ts";

/** Of all events, those that may hold an id; texts have their quotation marks escaped. */
const HAS_ID = /"(?:container|file_id)"/;

/** Seals the ids of containers and files that the account of one attempt minted. */
export function createFileSeal(
  { codec, userId, files }: { readonly codec: StateCodec; readonly userId: number; readonly files: StoredFiles },
  choice: Choice,
): ResponseSeal {
  const owner = codec.getOwner(choice);
  const sealAll = (text: string): string => {
    const json = HAS_ID.test(text) ? asObject(parseExactJson(text)) : undefined;
    return json ? JSON.stringify(files.replaceIds(json, (id) => codec.sealId(userId, owner, id))) : text;
  };
  return {
    body: (raw) => Buffer.from(sealAll(raw.toString("utf8"))),
    event: ({ event, data }) => Buffer.from(formatEvent({ event, data: sealAll(data) })),
  };
}

type Opened = { readonly path: string; readonly isCitation: boolean; readonly state: OpenedState | undefined };

/** The ids of containers and files in a request. */
type OpenedFiles = {
  /** The account that must serve the call, or keeps what the call only cites. */
  readonly owner: StateOwner | undefined;
  /** Where the first id stands that no other account knows; undefined if none has to. */
  readonly requiredAt: string | undefined;
  /** The fields of the body that change, as their account knows them. */
  readonly values: Json;
};

/**
 * Opens the ids of containers and files in a request. `fail` is called with the place of one that was not sealed for this caller, or
 * belongs to another account than the others.
 */
export function openFiles(
  { codec, userId, files }: { readonly codec: StateCodec; readonly userId: number; readonly files: StoredFiles },
  body: Json,
  fail: (path: string) => never,
): OpenedFiles {
  const found: Opened[] = [];
  const own = files.replaceIds(body, (id, path, isCitation) => {
    const state = codec.openId(userId, id);
    found.push({ path, isCitation, state });
    return state?.value ?? id;
  });
  const needed = found.filter(({ isCitation }) => !isCitation);
  const [first] = needed;
  for (const { path, state } of needed)
    if (!state || (first?.state && !isSameOwner(state.owner, first.state.owner))) fail(path);
  const cited = found.findLast(({ state }) => state !== undefined);
  const changed = Object.keys(own).filter((name) => own[name] !== body[name]);
  return {
    owner: (first ?? cited)?.state?.owner,
    requiredAt: first?.path,
    values: Object.fromEntries(changed.map((name) => [name, own[name]])),
  };
}
