import { CallbackQuery, EmailBindQuery, OAuthAuthorizeQuery, OAuthStateQuery } from "@turnpike/contract/api/identity";
import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { type Request, Router } from "express";
import { type ApiResponse, ok } from "../http/api-response.ts";
import { readSessionCookie } from "../http/cookie.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { RouteContext } from "../http/route.ts";
import { isSeenFromThisSite } from "../http/same-site.ts";
import { type Visit, readVisit } from "../http/visitor.ts";
import { toSignInResponse } from "../presenters/sign-in.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** The provider is asked several things in turn, each with a deadline of its own. */
const PROVIDER_TIMEOUT_MS = 30_000;
const BOUND_PAGE = "/app/me";

const isNavigation = (request: Request): boolean => (request.headers.accept ?? "").includes("text/html");
const sessionOf = (request: Request): string => readSessionCookie(request.headers.cookie) ?? "";

/** Signing in, and binding, by third parties. Mounted at /api/oauth. */
export function oauthRoutes({ services: { auth, identity }, route, options }: RoutesDeps): Router {
  const isSecure = (): boolean => options.current().text("ServerAddress").startsWith("https:");
  const readRequestVisit = (request: Request, facts: RequestContext): Visit =>
    readVisit(request, facts, { isSecure: isSecure() });

  /** For calls that no state protects: they must be seen to come from our own page. */
  const checkSeen = (request: Request, { isProxied }: RequestContext): void => {
    const serverAddress = options.current().text("ServerAddress");
    if (isSeenFromThisSite({ headers: request.headers, serverAddress, isProxied })) return;
    throw new AppError("cross_site_refused", "nothing says that this site's own page sent this");
  };
  const answer = async (
    signedIn: SignedIn | undefined,
    { request, call }: RouteContext<"anyone">,
    visit: Visit,
  ): Promise<ApiResponse> => {
    if (signedIn) return toSignInResponse(signedIn, { auth, request, visit, isSecure: isSecure(), call });
    if (!isNavigation(request)) return ok(null, "bind");
    return { body: "", status: 302, headers: { location: BOUND_PAGE } };
  };
  const byCode = (provider: string) =>
    route({ access: "anyone", query: CallbackQuery }, async ({ query }, context) => {
      const visit = readRequestVisit(context.request, context.facts);
      const { code = "", state = "", ...params } = query;
      const { signedIn } = await identity.finishOAuth(
        { provider, code, state, params, bind: false, sessionId: sessionOf(context.request), visitor: visit.visitor },
        { ...context.call, timeoutMs: PROVIDER_TIMEOUT_MS },
      );
      return answer(signedIn, context, visit);
    });
  const byWechat = (bind: boolean) =>
    route({ access: "anyone", query: CallbackQuery, changesState: true }, async ({ query }, context) => {
      checkSeen(context.request, context.facts);
      const visit = readRequestVisit(context.request, context.facts);
      const asked = { provider: "wechat", code: query["code"] ?? "", state: "", params: {}, bind };
      const { signedIn } = await identity.finishOAuth(
        { ...asked, sessionId: sessionOf(context.request), visitor: visit.visitor },
        { ...context.call, timeoutMs: PROVIDER_TIMEOUT_MS },
      );
      return answer(signedIn, context, visit);
    });
  const byTelegram = (bind: boolean) =>
    route({ access: "anyone", query: CallbackQuery, changesState: true }, async ({ query }, context) => {
      checkSeen(context.request, context.facts);
      const visit = readRequestVisit(context.request, context.facts);
      const { signedIn } = await identity.finishTelegram(
        { fields: query, bind, sessionId: sessionOf(context.request), visitor: visit.visitor },
        context.call,
      );
      return answer(signedIn, context, visit);
    });
  const begin = (provider: string, affCode: string, { request, call }: RouteContext<"anyone">, { visitor }: Visit) =>
    identity.beginOAuth(
      { provider, affCode, sessionId: sessionOf(request), visitor },
      { ...call, timeoutMs: PROVIDER_TIMEOUT_MS },
    );
  return Router()
    .get(
      "/state",
      route({ access: "anyone", query: OAuthStateQuery }, async ({ query }, context) => {
        const visit = readRequestVisit(context.request, context.facts);
        const { state } = await begin("", query.aff, context, visit);
        return { ...ok(state), headers: { "set-cookie": [...visit.cookies] } };
      }),
    )
    .get(
      "/authorize",
      route({ access: "anyone", query: OAuthAuthorizeQuery }, async ({ query }, context) => {
        const visit = readRequestVisit(context.request, context.facts);
        if (query.provider === "")
          throw new AppError("invalid_input", "no provider", { params: { detail: "provider" } });
        const { state, url } = await begin(query.provider, query.aff, context, visit);
        return { ...ok({ url, state }), headers: { "set-cookie": [...visit.cookies] } };
      }),
    )
    .get("/github", byCode("github"))
    .get("/oidc", byCode("oidc"))
    .get("/linuxdo", byCode("linuxdo"))
    .get("/wechat", byWechat(false))
    .get("/wechat/bind", byWechat(true))
    .get("/telegram/login", byTelegram(false))
    .get("/telegram/bind", byTelegram(true))
    .get(
      "/email/bind",
      route({ access: "user", query: EmailBindQuery, changesState: true }, async ({ query }, context) => {
        checkSeen(context.request, context.facts);
        await identity.bindEmail({ userId: context.caller.user.id, ...query }, context.call);
        return ok();
      }),
    );
}
