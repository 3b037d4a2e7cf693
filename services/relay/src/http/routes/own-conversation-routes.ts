import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects } from "../../core/chat/json.ts";
import type { ConversationPlace, OwnConversations } from "../../pipeline/stored-responses/own-conversations.ts";
import { notFound } from "./account-requests.ts";
import { listItems } from "./response-queries.ts";
import type { ConversationRoute } from "./route-table.ts";

type ConversationRequest = {
  readonly conversations: OwnConversations;
  readonly place: ConversationPlace;
  readonly route: ConversationRoute;
  /** Of a POST. */
  readonly body: Json;
  readonly query: URLSearchParams;
};

function found<Value>(value: Value | undefined, param = "conversation_id"): Value {
  if (value === undefined) throw notFound(param);
  return value;
}

async function serveItself({ conversations, place, route, body }: ConversationRequest): Promise<Json> {
  if (route.method === "POST")
    return found(await conversations.setMetadata(place, asObject(body["metadata"]) ?? {})).response;
  if (route.method === "GET") return found(await conversations.read(place)).response;
  if (!(await conversations.remove(place))) throw notFound("conversation_id");
  return { id: place.id, object: "conversation.deleted", deleted: true };
}

async function serveItems({ conversations, place, route, body, query }: ConversationRequest): Promise<Json> {
  if (route.method === "GET") return listItems(found(await conversations.read(place)).input, query);
  const added = found(await conversations.addItems(place, asObjects(body["items"])));
  return listItems(added, new URLSearchParams({ order: "asc", limit: String(Math.max(1, added.length)) }));
}

async function serveItem(
  { conversations, place, route: { method, itemId } }: ConversationRequest,
  id: string,
): Promise<Json> {
  const { input } = found(await conversations.read(place));
  const item = found(
    input.find((one) => one["id"] === itemId),
    "item_id",
  );
  if (method === "GET") return item;
  return found(await conversations.removeItem(place, id)).response;
}

/** What is done with a conversation that Turnpike keeps. Throws not_found for what the user does not have. */
export function serveOwnConversation(request: ConversationRequest): Promise<Json> {
  const { action, itemId } = request.route;
  if (itemId !== undefined) return serveItem(request, itemId);
  return action === undefined ? serveItself(request) : serveItems(request);
}
