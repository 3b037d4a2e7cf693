import type { Json } from "../../core/chat/chat.ts";
import { replaceResourceIds } from "./resource-ids.ts";
import { isSameOwner } from "./opened-input.ts";
import type { OpenedState, StateCodec, StateOwner } from "./state-codec.ts";

/** An id of a conversation, stored prompt, container, file or vector store in a request. */
export type OpenedResource = {
  readonly path: string;
  /** Undefined for an id that was not sealed for this caller. */
  readonly state: OpenedState | undefined;
};

/** Operators make these at the provider and give their ids to callers; no call through the gateway makes one. */
const MADE_BY_OPERATORS = /^(vs|pmpt)_/;

/**
 * The ids in a request that its account must have; citations are no such ids, nor are those of vector stores and stored
 * prompts that are not sealed.
 */
export function openResources(codec: StateCodec, userId: number, body: Json): OpenedResource[] {
  const opened: OpenedResource[] = [];
  replaceResourceIds(body, (id, path, isCitation) => {
    const state = codec.openId(userId, id);
    if (!isCitation && (state || !MADE_BY_OPERATORS.test(id))) opened.push({ path, state });
    return id;
  });
  return opened;
}

/** The body with the ids as their account knows them; citations of other accounts' files are omitted. */
export const writeResources = (codec: StateCodec, userId: number, body: Json, owner: StateOwner | undefined): Json =>
  replaceResourceIds(body, (id) => {
    const state = codec.openId(userId, id);
    return state && owner && isSameOwner(state.owner, owner) ? state.value : undefined;
  });
