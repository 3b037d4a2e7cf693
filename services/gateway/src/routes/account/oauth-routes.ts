import { z } from "zod/mini";
import { Done, successSchema } from "@turnpike/contract/api/common";
import {
  CallbackQuery,
  EmailBindQuery,
  OAuthAuthorizeQuery,
  OAuthStateQuery,
  OAuthAuthorize,
  OAuthResult,
  type SignInResult,
} from "@turnpike/contract/api/identity";
import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { type Request, Router } from "express";
import { type ApiResponse, ok, type Success } from "../../http/api-response.ts";
import { readSessionCookie } from "../../http/security/cookie.ts";
import type { RequestContext } from "../../http/request-context.ts";
import type { RouteContext } from "../../http/route-spec.ts";
import { isSeenFromThisSite } from "../../http/security/same-site.ts";
import { getPageOrigin } from "../../http/security/site-origin.ts";
import { type Visit, readVisit } from "../../http/visitor.ts";
import { toSignInResponse } from "../../presenters/sign-in.ts";
import type { SiteOptions } from "../../site/site-options.ts";
import type { RoutesDeps } from "../routes-deps.ts";

/** A sign-in makes several requests to the provider, one after another, each with its own deadline. */
const PROVIDER_TIMEOUT_MS = 30_000;
const BOUND_PAGE = "/app/me";

const isNavigation = (request: Request): boolean => (request.headers.accept ?? "").includes("text/html");
const readSessionId = (request: Request): string => readSessionCookie(request.headers.cookie) ?? "";

const readRequestVisit = (request: Request, facts: RequestContext, options: SiteOptions): Visit =>
  readVisit(request, facts, { isSecure: options.isSecure() });

/** For calls without an OAuth state: they must provably come from the site's own page. */
function checkSeen(request: Request, { isProxied }: RequestContext, options: SiteOptions): void {
  const serverAddress = options.current().text("ServerAddress");
  if (isSeenFromThisSite({ headers: request.headers, serverAddress, isProxied })) return;
  throw new AppError("cross_site_refused", "no proof that this site's own page sent the request");
}

const SPECS = {
  createState: {
    access: "anyone",
    summary: "Start a sign-in with a third party and return its state",
    returns: successSchema(z.string()),
    query: OAuthStateQuery,
  },
  authorize: {
    access: "anyone",
    summary: "Start a sign-in with a third party and return its address",
    returns: successSchema(OAuthAuthorize),
    query: OAuthAuthorizeQuery,
  },
  bindMail: {
    access: "user",
    summary: "Bind a mail address",
    returns: Done,
    query: EmailBindQuery,
    changesState: true,
  },
} as const;

/** The start of a sign-in or binding: the state, and the provider's address to redirect the browser to. */
function oauthBeginRoutes({ services: { identity }, route, options }: RoutesDeps): Router {
  const begin = (
    provider: string,
    affCode: string,
    { request, call, facts }: RouteContext<"anyone">,
    { visitor }: Visit,
  ) =>
    identity.beginOAuth(
      {
        provider,
        affCode,
        sessionId: readSessionId(request),
        visitor,
        origin: getPageOrigin(request, facts.isProxied),
      },
      { ...call, timeoutMs: PROVIDER_TIMEOUT_MS },
    );
  return Router()
    .get(
      "/state",
      route(SPECS.createState, async ({ query }, context) => {
        const visit = readRequestVisit(context.request, context.facts, options);
        const { state } = await begin("", query.aff, context, visit);
        return { ...ok(state), headers: { "set-cookie": [...visit.cookies] } };
      }),
    )
    .get(
      "/authorize",
      route(SPECS.authorize, async ({ query }, context) => {
        const visit = readRequestVisit(context.request, context.facts, options);
        if (query.provider === "")
          throw new AppError("invalid_input", "no provider", { params: { detail: "provider" } });
        const { state, url } = await begin(query.provider, query.aff, context, visit);
        return { ...ok({ url, state }), headers: { "set-cookie": [...visit.cookies] } };
      }),
    );
}

/** The response of a finished sign-in, or of a finished binding without a sign-in. */
async function toResponse(
  signedIn: SignedIn | undefined,
  { request, call }: RouteContext<"anyone">,
  { visit, services, options }: { visit: Visit } & Pick<RoutesDeps, "services" | "options">,
): Promise<ApiResponse<Success<SignInResult | null>>> {
  if (signedIn)
    return toSignInResponse(signedIn, { auth: services.auth, request, visit, isSecure: options.isSecure(), call });
  const bound = ok(null, "bind");
  return isNavigation(request) ? { ...bound, status: 302, headers: { location: BOUND_PAGE } } : bound;
}

/** Sign-in and binding without an OAuth state: a code of WeChat, signed fields of Telegram. */
function directSignInRoutes({ services, route, options }: RoutesDeps): Router {
  const { identity } = services;
  const byWechat = (bind: boolean) =>
    route(
      {
        access: "anyone",
        summary: bind ? "Bind a WeChat account" : "Sign in with WeChat",
        redirects: true,
        returns: OAuthResult,
        query: CallbackQuery,
        changesState: true,
      },
      async ({ query }, context) => {
        checkSeen(context.request, context.facts, options);
        const visit = readRequestVisit(context.request, context.facts, options);
        const callback = { provider: "wechat", code: query["code"] ?? "", state: "", params: {}, bind };
        const { signedIn } = await identity.finishOAuth(
          { ...callback, sessionId: readSessionId(context.request), visitor: visit.visitor },
          { ...context.call, timeoutMs: PROVIDER_TIMEOUT_MS },
        );
        return toResponse(signedIn, context, { visit, services, options });
      },
    );
  const byTelegram = (bind: boolean) =>
    route(
      {
        access: "anyone",
        summary: bind ? "Bind a Telegram account" : "Sign in with Telegram",
        redirects: true,
        returns: OAuthResult,
        query: CallbackQuery,
        changesState: true,
      },
      async ({ query }, context) => {
        checkSeen(context.request, context.facts, options);
        const visit = readRequestVisit(context.request, context.facts, options);
        const { signedIn } = await identity.finishTelegram(
          { fields: query, bind, sessionId: readSessionId(context.request), visitor: visit.visitor },
          context.call,
        );
        return toResponse(signedIn, context, { visit, services, options });
      },
    );
  return Router()
    .get("/wechat", byWechat(false))
    .get("/wechat/bind", byWechat(true))
    .get("/telegram/login", byTelegram(false))
    .get("/telegram/bind", byTelegram(true));
}

/** Sign-in and account binding through third parties. Mounted at /api/oauth. */
export function oauthRoutes(deps: RoutesDeps): Router {
  const { services, route, options } = deps;
  const { identity } = services;
  const byCode = (provider: string) =>
    route(
      {
        access: "anyone",
        summary: `Sign in or bind an account with the callback of ${provider}`,
        redirects: true,
        returns: OAuthResult,
        query: CallbackQuery,
      },
      async ({ query }, context) => {
        const visit = readRequestVisit(context.request, context.facts, options);
        const { code = "", state = "", ...params } = query;
        const { signedIn } = await identity.finishOAuth(
          {
            provider,
            code,
            state,
            params,
            bind: false,
            sessionId: readSessionId(context.request),
            visitor: visit.visitor,
          },
          { ...context.call, timeoutMs: PROVIDER_TIMEOUT_MS },
        );
        return toResponse(signedIn, context, { visit, services, options });
      },
    );
  return Router()
    .use(oauthBeginRoutes(deps), directSignInRoutes(deps))
    .get("/github", byCode("github"))
    .get("/oidc", byCode("oidc"))
    .get("/linuxdo", byCode("linuxdo"))
    .get(
      "/email/bind",
      route(SPECS.bindMail, async ({ query }, context) => {
        checkSeen(context.request, context.facts, options);
        await identity.bindEmail({ userId: context.caller.user.id, ...query }, context.call);
        return ok();
      }),
    );
}
