import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { notFound } from "./account-requests.ts";

const ITEMS_DEFAULT = 20;
const ITEMS_MAX = 100;

function refuse(param: string, problem: string): never {
  throw new RelayError("invalid_request", `${param}: ${problem}`, { param });
}

/** Whether the events of a stream are requested, and after which one. Throws invalid_request. */
export function readResumption(query: URLSearchParams): number | undefined {
  const [stream, after] = [query.get("stream"), query.get("starting_after")];
  if (stream !== null && stream !== "true" && stream !== "false") refuse("stream", "must be true or false");
  if (after !== null && !/^\d{1,15}$/.test(after)) refuse("starting_after", "must be the number of an event");
  if (stream !== "true") return undefined;
  return after === null ? -1 : Number(after);
}

/** Checks the parameters of a list of items. Throws invalid_request. */
export function checkListQuery(query: URLSearchParams): void {
  const [limit, order] = [query.get("limit"), query.get("order")];
  if (limit !== null && !(/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= ITEMS_MAX))
    refuse("limit", `must be a whole number from 1 to ${ITEMS_MAX}`);
  if (order !== null && order !== "asc" && order !== "desc") refuse("order", "must be asc or desc");
}

/** One page of items, newest first unless the query requests otherwise. Throws not_found for an unknown item. */
export function listItems(items: readonly Json[], query: URLSearchParams): Json {
  const ordered = query.get("order") === "asc" ? items : items.toReversed();
  const after = query.get("after");
  const from = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== null && from === 0) throw notFound("after");
  const limit = Number(query.get("limit") ?? ITEMS_DEFAULT);
  const data = ordered.slice(from, from + limit);
  const [first, last] = [data[0]?.["id"] ?? null, data.at(-1)?.["id"] ?? null];
  return { object: "list", data, first_id: first, last_id: last, has_more: from + limit < ordered.length };
}
