import { IdParams, pageQuery, Done, listSchema, successSchema } from "@turnpike/contract/api/common";
import {
  TokenCreateBody,
  TokenFilter,
  TokenStatusBody,
  TokenUpdateBody,
  TokenUsage,
  TokenUsageQuery,
  CreatedToken,
  Token,
  TokenPage,
} from "@turnpike/contract/api/token";
import type { TokenUse } from "@turnpike/proto/billing/v1/token_usage_service";
import { Router } from "express";
import { z } from "zod/mini";
import { ok, okList } from "../http/api-response.ts";
import type { RouteContext } from "../http/route-spec.ts";
import { chooseByStatusOnly } from "../http/status-only.ts";
import { requireField } from "../presenters/required-field.ts";
import { toToken, toTokenInput } from "../presenters/token.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const WEEK_SECONDS = 7 * 24 * 3_600;
const USAGE_TIMEOUT_MS = 15_000;

const toTokenUse = (use: TokenUse): TokenUsage["uses"][number] => ({
  day: use.day,
  model_name: use.modelName,
  request_count: use.requestCount,
  prompt_tokens: use.promptTokens,
  completion_tokens: use.completionTokens,
  quota: use.quota,
});

const StatusForm = z.pipe(
  TokenStatusBody,
  z.transform(({ id, status }) => ({ id, statusOnly: status, input: undefined })),
);
const WholeForm = z.pipe(
  TokenUpdateBody,
  z.transform((form) => ({
    id: form.id,
    statusOnly: undefined,
    input: toTokenInput(form),
    quotaChange: form.quota_change,
    actionId: form.action_id,
  })),
);

const SPECS = {
  listTokens: {
    access: "user",
    summary: "List the own tokens",
    returns: successSchema(listSchema(TokenPage)),
    query: z.intersection(TokenFilter, pageQuery(0)),
  },
  changeTokenStatus: { access: "user", summary: "Change a token", returns: successSchema(Token), body: StatusForm },
  changeToken: { access: "user", summary: "Change a token", returns: successSchema(Token), body: WholeForm },
  readToken: { access: "user", summary: "Read a token", returns: successSchema(Token), params: IdParams },
  readTokenUsage: {
    access: "user",
    summary: "Read the usage of a token by day and model",
    returns: successSchema(TokenUsage),
    params: IdParams,
    query: TokenUsageQuery,
  },
  createToken: {
    access: "user",
    summary: "Create a token",
    returns: successSchema(CreatedToken),
    body: TokenCreateBody,
  },
  deleteToken: { access: "user", summary: "Delete a token", returns: Done, params: IdParams },
} as const;

/** A user's own tokens. Mounted at /api/token. */
export function tokenRoutes({ services: { tokens, tokenUsage }, route }: RoutesDeps): Router {
  const list = route(SPECS.listTokens, async ({ query }, { caller, call }) => {
    const { page, pageSize, keyword, token } = query;
    const found = await tokens.listTokens({ userId: caller.user.id, page, pageSize, keyword, token }, call);
    return okList(query, { items: found.items.map(toToken), total: found.total });
  });
  const update = async (change: z.output<typeof StatusForm | typeof WholeForm>, context: RouteContext<"user">) => {
    const { id: userId, group: userGroup } = context.caller.user;
    const { token } = await tokens.updateToken({ userId, userGroup, ...change }, context.call);
    return ok(toToken(requireField(token, "token")));
  };
  const updateStatus = route(SPECS.changeTokenStatus, ({ body }, context) => update(body, context));
  const updateWhole = route(SPECS.changeToken, ({ body }, context) => update(body, context));
  return Router()
    .get("/", list)
    .get("/search", list)
    .get(
      "/:id",
      route(SPECS.readToken, async ({ params }, { caller, call }) => {
        const { token } = await tokens.getToken({ userId: caller.user.id, id: params.id }, call);
        return ok(toToken(requireField(token, "token")));
      }),
    )
    .get(
      "/:id/usage",
      route(SPECS.readTokenUsage, async ({ params, query }, { caller, call }) => {
        const endSeconds = query.end_timestamp || Math.floor(Date.now() / 1000);
        const startSeconds = query.start_timestamp || endSeconds - WEEK_SECONDS;
        const period = { userId: caller.user.id, tokenId: params.id, startSeconds, endSeconds };
        const { uses, quota } = await tokenUsage.getTokenUsage(period, { ...call, timeoutMs: USAGE_TIMEOUT_MS });
        return ok({ quota, uses: uses.map(toTokenUse) });
      }),
    )
    .post(
      "/",
      route(SPECS.createToken, async ({ body }, { caller, call }) => {
        const { id: userId, group: userGroup } = caller.user;
        const created = await tokens.createToken({ userId, userGroup, input: toTokenInput(body) }, call);
        const { id, key } = requireField(created.token, "token");
        return ok({ id, key });
      }),
    )
    .put("/", chooseByStatusOnly({ statusOnly: updateStatus, whole: updateWhole }))
    .delete(
      "/:id",
      route(SPECS.deleteToken, async ({ params }, { caller, call }) => {
        await tokens.deleteToken({ userId: caller.user.id, id: params.id }, call);
        return ok();
      }),
    );
}
