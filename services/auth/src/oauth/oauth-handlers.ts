import type { IdentityServiceServer } from "@turnpike/proto/auth/v1/identity_service";
import { requireSelf } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { Bindings } from "./bindings.ts";
import type { DirectSignIn } from "./direct-sign-in.ts";
import type { OAuthService } from "./oauth-service.ts";

type Rpcs = "beginOAuth" | "finishOAuth" | "finishTelegram" | "bindEmail" | "unbind";

/** RPCs over third parties and bindings. */
export const oauthHandlers = (deps: {
  oauth: OAuthService;
  direct: DirectSignIn;
  bindings: Bindings;
}): Pick<Handlers<IdentityServiceServer>, Rpcs> => ({
  beginOAuth: ({ provider, affCode, origin, sessionId, visitor }) =>
    deps.oauth.begin({ provider, affCode, origin }, { sessionId, visitor }),
  async finishOAuth({ provider, code, state, params, bind, sessionId, visitor }) {
    const from = { sessionId, visitor };
    if (provider === "wechat") return { signedIn: await deps.direct.byWechat(code, bind, from) };
    return { signedIn: await deps.oauth.complete(provider, { state, params: { ...params, code, state } }, from) };
  },
  async finishTelegram({ fields, bind, sessionId, visitor }) {
    return { signedIn: await deps.direct.byTelegram(fields, bind, { sessionId, visitor }) };
  },
  async bindEmail({ userId, email, code }, context) {
    await deps.bindings.bindEmail(requireSelf(context, userId), email, code);
    return {};
  },
  async unbind({ userId, type }, context) {
    requireSelf(context, userId);
    await deps.bindings.unbind(userId, type);
    return {};
  },
});
