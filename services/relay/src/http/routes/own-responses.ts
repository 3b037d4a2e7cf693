import { setTimeout as delay } from "node:timers/promises";
import { writeStreamHead } from "../../core/call/keep-alive.ts";
import { type Exchange, sendJson, untilDrained } from "../../core/call/exchange.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asText } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { EVENTS } from "../../pipeline/attempt/stream/client-stream.ts";
import type { OwnerLiveness } from "../../pipeline/idempotency/owner-liveness.ts";
import {
  type EventPiece,
  type StoredResponse,
  type StoredResponses,
  refuseUnreadable,
} from "../../pipeline/stored-responses/stored-responses.ts";
import type { ResponsePlace } from "../../pipeline/stored-responses/response-keys.ts";
import type { ResponseOwners } from "../../pipeline/stored-responses/response-owners.ts";
import { notFound } from "./account-requests.ts";
import { listItems } from "./response-queries.ts";

type Deps = {
  readonly responses: StoredResponses;
  readonly owners: OwnerLiveness;
  readonly responseOwners: ResponseOwners;
};

/** How often the events of a running response are read, and in how many steps it is checked that its relay runs. */
const STEP_MS = 200;
const LIVENESS_STEPS = 10;
const CANCEL_STEPS = 15;
/** The end of a stream is stored after its client has seen it: a client that reads again at once looks a few times. */
const FIRST_LOOKS = 5;

/** The input of a response, with ids by which a list continues. */
const toListed = ({ input }: StoredResponse, id: string): Json[] =>
  input.map((item, at) => ({ ...item, id: asText(item["id"]) ?? `item_${id.slice(-26)}_${at}` }));

/** The response as it is now. One whose relay died runs again soon (`isLost`), unless it was cancelled meanwhile. */
function toCurrent({ response, isRunning, isCancelled }: StoredResponse, isLost: boolean): Json {
  if (!isRunning) return response;
  return { ...response, status: isLost && isCancelled ? "cancelled" : "in_progress" };
}

async function write(exchange: Exchange, text: string): Promise<void> {
  if (text !== "" && !exchange.response.write(text)) await untilDrained(exchange);
}

/** Serves what is stored here: responses of providers that keep none, and the events of streams. */
export class OwnResponses {
  readonly #responses: StoredResponses;
  readonly #owners: OwnerLiveness;
  readonly #responseOwners: ResponseOwners;

  constructor({ responses, owners, responseOwners }: Deps) {
    this.#responseOwners = responseOwners;
    this.#responses = responses;
    this.#owners = owners;
  }

  async serve(
    exchange: Exchange,
    place: ResponsePlace,
    { method, action }: { readonly method: string; readonly action: string | undefined },
    query: URLSearchParams,
  ): Promise<void> {
    sendJson(exchange, 200, JSON.stringify(await this.#getBody(place, method, action, query)));
  }

  /** Sends the events after the given one, and those that follow while the response runs. */
  async resume(exchange: Exchange, place: ResponsePlace, after: number): Promise<void> {
    let pieces = await this.#readFirst(place, exchange);
    let relayId = "";
    writeStreamHead(exchange, EVENTS);
    for (let [at, step] = [0, 1]; !exchange.isDisconnected(); step++) {
      at += pieces.length;
      relayId = pieces.at(-1)?.relayId ?? relayId;
      const events = pieces.flatMap((piece) => piece.events).filter(({ number }) => number > after);
      await write(exchange, events.map(({ text }) => text).join(""));
      if (pieces.at(-1)?.isEnd) return void exchange.response.end();
      // Cut off: a stream without its last event never ends cleanly.
      const isCut = step % LIVENESS_STEPS === 0 && (await this.#isCut(place, relayId).catch(() => false));
      if (isCut) return void exchange.response.destroy();
      await delay(STEP_MS);
      pieces = await this.#responses.readEvents(place, at).catch(() => []);
    }
  }

  #getBody(place: ResponsePlace, method: string, action: string | undefined, query: URLSearchParams): Promise<Json> {
    if (method === "DELETE") return this.#remove(place);
    if (action === "cancel") return this.#cancel(place);
    if (action === "input_items") return this.#find(place).then((found) => listItems(toListed(found, place.id), query));
    return this.#show(place);
  }

  /** Whether no more events follow: the relay does not run any more, and no other one takes over what it ran. */
  async #isCut(place: ResponsePlace, relayId: string): Promise<boolean> {
    return (await this.#isLost(relayId)) && !(await this.#responseOwners.isRunning(place));
  }

  /** Whether a relay does not run any more. */
  async #isLost(relayId: string): Promise<boolean> {
    return relayId !== this.#responses.relayId && (await this.#owners.hasNoHeartbeat(relayId).catch(refuseUnreadable));
  }

  async #find(place: ResponsePlace): Promise<StoredResponse> {
    const found = await this.#responses.read(place).catch(refuseUnreadable);
    if (!found) throw notFound("response_id");
    return found;
  }

  async #show(place: ResponsePlace): Promise<Json> {
    const found = await this.#find(place);
    return toCurrent(found, found.isRunning && found.isCancelled && (await this.#isLost(found.relayId)));
  }

  async #cancel(place: ResponsePlace): Promise<Json> {
    const found = await this.#find(place);
    if (found.response["background"] !== true) {
      const why = "response_id: only responses with background: true can be cancelled";
      throw new RelayError("invalid_request", why, { param: "response_id" });
    }
    if (!(await this.#responses.cancel(place).catch(refuseUnreadable))) return this.#show(place);
    for (let step = 0; step < CANCEL_STEPS; step++) {
      const shown = await this.#show(place);
      if (shown["status"] !== "in_progress") return shown;
      await delay(STEP_MS);
    }
    return { ...(await this.#show(place)), status: "cancelled" };
  }

  async #remove(place: ResponsePlace): Promise<Json> {
    if (!(await this.#responses.remove(place).catch(refuseUnreadable))) throw notFound("response_id");
    return { id: place.id, object: "response", deleted: true };
  }

  /** The first events, which a background response may not have yet. */
  async #readFirst(place: ResponsePlace, exchange: Exchange): Promise<EventPiece[]> {
    for (let step = 0; ; step++) {
      const pieces = await this.#responses.readEvents(place, 0).catch(refuseUnreadable);
      if (pieces.length > 0) return pieces;
      const found = await this.#responses.read(place).catch(refuseUnreadable);
      if ((!found?.isRunning && step >= FIRST_LOOKS) || exchange.isDisconnected())
        throw new RelayError("not_found", "stream: the events of this response are not stored, or not any more", {
          param: "stream",
        });
      await delay(STEP_MS);
    }
  }
}
