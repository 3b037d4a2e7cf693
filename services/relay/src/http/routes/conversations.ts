import type { IncomingMessage } from "node:http";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Admit } from "../../admission/admission.ts";
import { type Admitted, getGroup } from "../../core/call/caller.ts";
import type { Choice, Tiers } from "../../core/call/channel.ts";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asObjects } from "../../core/chat/json.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { checkBodyKeys } from "../../core/chat/request-keys.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { checkItems, checkMetadata } from "../../dialects/openai-responses/field-shapes.ts";
import { openInput, isSameOwner, writeItem } from "../../pipeline/provider-state/opened-input.ts";
import { openResources, writeResources } from "../../pipeline/provider-state/opened-resources.ts";
import { readSessionId } from "../../pipeline/prepare/read/session-id.ts";
import { createResponseSeal } from "../../pipeline/provider-state/sealed-responses.ts";
import type { OpenedState, StateCodec, StateOwner } from "../../pipeline/provider-state/state-codec.ts";
import { isOwnConversationId, OwnConversations } from "../../pipeline/stored-responses/own-conversations.ts";
import type { StoredResponses } from "../../pipeline/stored-responses/stored-responses.ts";
import type { Chooser } from "../../routing/channel-chooser.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import { readBody } from "../server/request-body.ts";
import { type Account, type AccountRequests, isMissing, notFound, toAccount, toOwnQuery } from "./account-requests.ts";
import { listModels } from "./model-list.ts";
import { serveOwnConversation } from "./own-conversation-routes.ts";
import { checkListQuery } from "./response-queries.ts";
import type { ConversationRoute } from "./route-table.ts";

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly stateCodec: StateCodec;
  readonly accounts: AccountRequests;
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly responses: StoredResponses;
  readonly bodyBytesMax: number;
  readonly now: () => number;
};

/** What is requested with a conversation; the body of a POST. */
type ConversationRequest = {
  readonly route: ConversationRoute;
  readonly query: URLSearchParams;
  readonly body: Json | undefined;
};

/** Channel types whose accounts keep conversations: OpenAI and Azure. */
const TYPES: ReadonlySet<number> = new Set([1, 3]);
/** Statuses of accounts without the API; other servers of OpenAI's format have a channel of its type as well. */
const WITHOUT = new Set([404, 405, 501]);
/** Accounts that a new conversation is offered to. */
const ACCOUNTS_MAX = 10;
const PARAM = "conversation_id";

/** The channels that may keep a new conversation, by priority: those of the model that the query names, else of every model of the caller. */
function findTiers({ table }: Deps, admitted: Admitted, model: string | null): Tiers {
  const { pinnedChannelId, caller } = admitted;
  const pinned = pinnedChannelId === undefined ? undefined : table().byId(pinnedChannelId);
  const models = listModels(caller, table());
  if (model !== null && !models.includes(model))
    throw new RelayError("model_not_found", `the model ${model} does not exist`, { param: "model" });
  const served = (model === null ? models : [model]).flatMap((name) => table().tiers(getGroup(admitted), name).flat());
  const among = pinnedChannelId === undefined ? served : pinned ? [pinned] : [];
  const channels = [...new Set(among)].filter(({ type }) => TYPES.has(type));
  const byPriority = Map.groupBy(channels, ({ priority }) => priority);
  return [...byPriority].toSorted(([a], [b]) => b - a).map(([, tier]) => tier);
}

function parseBody(text: string): Json {
  if (text.trim() === "") return {};
  const body = asObject(parseExactJson(text));
  if (!body) throw new RelayError("invalid_request", "the request body must be a JSON object");
  checkBodyKeys(text);
  checkItems(body["items"], "items");
  checkMetadata(body["metadata"], "metadata");
  return body;
}

/** Items in a body with the ids and contents of an account, which is the only one that can read them. */
type OpenedBody = { readonly owner: StateOwner | undefined; readonly write: (owner: StateOwner) => string };

/** Throws not_found for what was not sealed for the caller, or belongs to another account than `bound`. */
function openBody(codec: StateCodec, userId: number, body: Json, bound: StateOwner | undefined): OpenedBody {
  if (body["items"] === undefined) return { owner: bound, write: () => JSON.stringify(body) };
  const given = { input: body["items"] };
  const items = openInput(codec, userId, given);
  const lost = items.find((item) => item.isUnknown || (item.isContentLost && !item.isReasoning));
  if (lost) throw notFound(lost.path.replace("input", "items"));
  const resources = openResources(codec, userId, given);
  const foreign = resources.find(({ state }) => !state);
  if (foreign) throw notFound(foreign.path.replace("input", "items"));
  const owners = [
    ...items.flatMap(({ needsId, id, approval }) => (needsId ? [id, approval] : [])),
    ...resources.map(({ state }) => state),
  ].flatMap((state) => (state ? [state.owner] : []));
  const owner = bound ?? owners[0];
  if (owner && owners.some((one) => !isSameOwner(one, owner))) throw notFound("items");
  return {
    owner,
    write(of) {
      const own = asList(writeResources(codec, userId, given, of)["input"]);
      return JSON.stringify({ ...body, items: items.flatMap((item, at) => writeItem({ ...item, item: own[at] }, of)) });
    },
  };
}

/**
 * Conversations at the accounts that made them, or kept here, free of charge. Throws not_found for ids that the caller may not use.
 */
class Conversations {
  readonly #deps: Deps;
  readonly #own: OwnConversations;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#own = new OwnConversations(deps.responses);
  }

  /**
   * Makes a conversation at the first account that does it: nothing is charged, so nothing is lost by another try. Turnpike keeps it
   * where no account does. Throws the first refusal that is more than the lack of the API.
   */
  async create(exchange: Exchange, admitted: Admitted, body: Json, model: string | null): Promise<void> {
    const { accounts, stateCodec, chooser } = this.#deps;
    const opened = openBody(stateCodec, admitted.caller.known.token.userId, body, undefined);
    if (opened.owner) return this.#createAt(exchange, admitted, accounts.find(opened.owner, "items"), opened);
    const tiers = findTiers(this.#deps, admitted, model);
    const tried: Choice[] = [];
    let refusal: RelayError | undefined;
    while (tried.length < ACCOUNTS_MAX) {
      const choice = chooser.choose(tiers, tried);
      if (!choice) break;
      tried.push(choice);
      const account = toAccount(choice);
      if (!account) continue;
      try {
        return await this.#createAt(exchange, admitted, account, opened);
      } catch (error) {
        if (!(error instanceof RelayError) || exchange.isDisconnected()) throw error;
        if (!WITHOUT.has(error.status)) refusal ??= error;
      }
    }
    if (refusal) throw refusal;
    return this.#createOwn(exchange, admitted, body);
  }

  /** Makes a conversation that Turnpike keeps. */
  async #createOwn(exchange: Exchange, { caller }: Admitted, body: Json): Promise<void> {
    const { now } = this.#deps;
    if (!this.#own.isKept()) {
      const why = "conversations: no provider of your models keeps them; send previous_response_id or the whole input";
      throw new RelayError("api_not_implemented", why);
    }
    const { userId } = caller.known.token;
    const metadata = asObject(body["metadata"]) ?? {};
    sendJson(exchange, 200, JSON.stringify(await this.#own.create(userId, metadata, asObjects(body["items"]), now())));
  }

  /** Does what is requested with a conversation of the caller, at the account that keeps it or here. */
  async serveKept(request: IncomingMessage, exchange: Exchange, admitted: Admitted, route: ConversationRoute) {
    const { method, id = "", action, itemId } = route;
    const query = new URL(request.url ?? "", "http://relay").searchParams;
    if (action === "items" && itemId === undefined && method === "GET") checkListQuery(query);
    const body = method === "POST" ? parseBody(await readBody(request, this.#deps.bodyBytesMax)) : undefined;
    if (!isOwnConversationId(id)) return this.#passOn(exchange, admitted, { route, query, body });
    const place = { userId: admitted.caller.known.token.userId, id };
    const served = await serveOwnConversation({ conversations: this.#own, place, route, query, body: body ?? {} });
    sendJson(exchange, 200, JSON.stringify(served));
  }

  async #passOn(
    exchange: Exchange,
    admitted: Admitted,
    { route, query, body: given }: ConversationRequest,
  ): Promise<void> {
    const { accounts, stateCodec: codec } = this.#deps;
    const { method, id = "", action, itemId } = route;
    const { userId } = admitted.caller.known.token;
    const open = (sealed: string): OpenedState | undefined => codec.openId(userId, sealed);
    const opened = open(id);
    const isElsewhere = admitted.pinnedChannelId !== undefined && admitted.pinnedChannelId !== opened?.owner.channelId;
    if (!opened || isElsewhere) throw notFound(PARAM);
    const { owner } = opened;
    const account = accounts.find(owner, PARAM);
    const item = itemId === undefined ? undefined : open(itemId);
    if (itemId !== undefined && !(item && isSameOwner(item.owner, owner))) throw notFound("item_id");
    const body = given === undefined ? {} : { body: openBody(codec, userId, given, owner).write(owner) };
    const path = [opened.value, action, item?.value].filter((part) => part !== undefined).map(encodeURIComponent);
    const sent = {
      method,
      resource: "conversations",
      path: path.join("/"),
      query: toOwnQuery(query, open),
      ...body,
    } as const;
    const response = await accounts.send(exchange, account, sent).catch((error: unknown) => {
      throw isMissing(error) ? notFound(item ? "item_id" : PARAM) : error;
    });
    this.#reply(exchange, admitted, account, response.body);
  }

  async #createAt(exchange: Exchange, admitted: Admitted, account: Account, opened: OpenedBody): Promise<void> {
    const body = opened.write(this.#deps.stateCodec.getOwner(account.choice));
    const sent = { method: "POST", resource: "conversations", path: "", query: [], body } as const;
    const made = await this.#deps.accounts.send(exchange, account, sent);
    this.#reply(exchange, admitted, account, made.body);
  }

  #reply(exchange: Exchange, { caller }: Admitted, { choice }: Account, body: Buffer): void {
    const seal = createResponseSeal(this.#deps.stateCodec, caller.known.token.userId, choice);
    sendJson(exchange, 200, seal.body(body));
  }
}

/**
 * Serves `/v1/conversations`: a conversation is kept by the account that made it, and its responses are created there. For
 * models without such an account Turnpike keeps it, and every model continues it.
 */
export function createConversationsRoute(deps: Deps) {
  const conversations = new Conversations(deps);
  return async function serveConversation(
    request: IncomingMessage,
    exchange: Exchange,
    path: string,
    route: ConversationRoute,
  ): Promise<void> {
    const admitted = await deps.admit(request.headers, path, deps.clientAddress(request));
    readSessionId(request.headers);
    if (route.id !== undefined) return conversations.serveKept(request, exchange, admitted, route);
    const body = parseBody(await readBody(request, deps.bodyBytesMax));
    const model = new URL(request.url ?? "", "http://relay").searchParams.get("model");
    return conversations.create(exchange, admitted, body, model);
  };
}
