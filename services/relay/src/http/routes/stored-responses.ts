import type { IncomingMessage } from "node:http";
import type { Admit } from "../../admission/admission.ts";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import { withoutReportedCost } from "../../core/vendors/upstream-cost.ts";
import { readSessionId } from "../../pipeline/prepare/read/session-id.ts";
import { createResponseSeal } from "../../pipeline/provider-state/sealed-responses.ts";
import { isOwnResponseId } from "../../pipeline/stored-responses/continued-calls.ts";
import type { OpenedState, StateCodec } from "../../pipeline/provider-state/state-codec.ts";
import { type AccountRequests, isMissing, notFound, toOwnQuery } from "./account-requests.ts";
import type { OwnResponses } from "./own-responses.ts";
import { checkListQuery, readResumption } from "./response-queries.ts";
import type { StoredResponseRoute } from "./route-table.ts";

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly stateCodec: StateCodec;
  readonly accounts: AccountRequests;
  readonly own: OwnResponses;
};

/**
 * Serves stored responses (`GET`, `DELETE`, `/cancel`, `/input_items`): from the account that stores them, and those of providers that
 * store none from here, as are the events of streams (`?stream=true`). They cost nothing. Throws not_found for ids that this caller may not use.
 */
export function createStoredResponsesRoute(deps: Deps) {
  return async function serveStoredResponse(
    request: IncomingMessage,
    exchange: Exchange,
    path: string,
    { id, action, method }: StoredResponseRoute,
  ): Promise<void> {
    const { caller, pinnedChannelId } = await deps.admit(request.headers, path, deps.clientAddress(request));
    readSessionId(request.headers);
    const { userId } = caller.known.token;
    const place = { userId, id };
    const parameters = new URL(request.url ?? "", "http://relay").searchParams;
    const after = action === undefined && method === "GET" ? readResumption(parameters) : undefined;
    if (action === "input_items") checkListQuery(parameters);
    const isOwn = isOwnResponseId(id);
    if (isOwn && after === undefined) return deps.own.serve(exchange, place, { method, action }, parameters);
    if (isOwn) return deps.own.resume(exchange, place, after ?? -1);
    const open = (sealed: string): OpenedState | undefined => deps.stateCodec.openId(userId, sealed);
    const opened = open(id);
    const isElsewhere = pinnedChannelId !== undefined && pinnedChannelId !== opened?.owner.channelId;
    if (!opened || isElsewhere) throw notFound("response_id");
    const account = deps.accounts.find(opened.owner, "response_id");
    if (after !== undefined) return deps.own.resume(exchange, place, after);
    const query = toOwnQuery(parameters, open);
    const own = encodeURIComponent(opened.value) + (action === undefined ? "" : `/${action}`);
    const sent = { method, resource: "responses", path: own, query } as const;
    const { body } = await deps.accounts.send(exchange, account, sent).catch((error: unknown) => {
      throw isMissing(error) ? notFound("response_id") : error;
    });
    const seal = createResponseSeal(deps.stateCodec, userId, account.choice);
    sendJson(exchange, 200, seal.body(withoutReportedCost(body)));
  };
}
