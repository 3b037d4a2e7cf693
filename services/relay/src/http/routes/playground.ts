import type { IncomingHttpHeaders } from "node:http";
import { isGroupUsable, type OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { USER_STATUS } from "@turnpike/contract/codes";
import { PLAYGROUND_HEADER } from "@turnpike/shared/crypto/playground-proof";
import type { Admitted } from "../../core/call/caller.ts";
import type { KnownToken, Principal } from "../../core/call/caller.ts";
import type { Json } from "../../core/chat/chat.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { asObject } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

type Deps = {
  readonly getPrincipal: (userId: number) => Promise<Principal>;
  /** The user that the gateway authenticated; undefined if the request is not from the gateway. */
  readonly verify: (header: string) => number | undefined;
  readonly options: () => OptionsInForce;
};

/** A playground call: its caller with the chosen group, and the body without the group. */
export type PlaygroundCall = { readonly admitted: Admitted; readonly bodyText: string };

/** The playground has no key: only the balance limits it. */
function toPlaygroundToken(userId: number, group: string): KnownToken {
  return {
    token: {
      id: 0,
      userId,
      key: "",
      name: `playground-${group}`,
      status: 1,
      createdTime: 0,
      accessedTime: 0,
      expiredTime: -1,
      remainQuota: 0,
      unlimitedQuota: true,
      usedQuota: 0,
      modelLimitsEnabled: false,
      modelLimits: "",
      allowIps: "",
      group,
      rateLimitEnabled: false,
      rateLimitPeriod: 0,
      rateLimitCount: 0,
      rateLimitSuccess: 0,
      budgetPeriod: "",
      periodQuota: 0,
      budgetResetsAt: 0,
      tokensPerMinute: 0,
      concurrentCalls: 0,
    },
    allowsModel: () => true,
    allowsAddress: () => true,
  };
}

function parseBody(bodyText: string): Json {
  const body = asObject(parseExactJson(bodyText));
  if (!body) throw new RelayError("invalid_request", "the request body must be a JSON object");
  return body;
}

export type Playground = ReturnType<typeof createPlayground>;

/**
 * Lets users try models with their own balance and without a key. Only the gateway can state which user is calling; the
 * group is chosen in the body, among those the user may use.
 */
export function createPlayground(deps: Deps) {
  return {
    /** The calling user. Throws invalid_api_key for requests that are not from the gateway, or user_banned. */
    async admit(headers: IncomingHttpHeaders): Promise<Principal> {
      const header = headers[PLAYGROUND_HEADER];
      const userId = typeof header === "string" ? deps.verify(header) : undefined;
      if (userId === undefined) throw new RelayError("invalid_api_key", "sign in to use the playground");
      const principal = await deps.getPrincipal(userId).catch((cause: unknown) => {
        throw new RelayError("service_unavailable", "the signed-in user could not be checked right now", {
          retryAfterSeconds: 2,
          cause,
        });
      });
      if (principal.status !== USER_STATUS.active) throw new RelayError("user_banned", "this account is banned");
      return principal;
    },
    /** Removes the group from the body. Throws group_not_allowed, model_required, invalid_request. */
    read(principal: Principal, bodyText: string): PlaygroundCall {
      const { group: requested, ...body } = parseBody(bodyText);
      const group = requested === undefined || requested === "" || requested === null ? principal.group : requested;
      if (typeof group !== "string" || !isGroupUsable(deps.options(), principal.group, group))
        throw new RelayError("group_not_allowed", "you may not use this group", { param: "group" });
      if (body["model"] === undefined || body["model"] === "")
        throw new RelayError("model_required", "choose a model", { param: "model" });
      const caller = { known: toPlaygroundToken(principal.userId, group), principal };
      return { admitted: { caller, pinnedChannelId: undefined }, bodyText: JSON.stringify(body) };
    },
  };
}
