import { randomBytes } from "node:crypto";
import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import type { Request } from "express";
import { readCookie } from "./security/cookie.ts";
import type { RequestContext } from "./request-context.ts";

const BROWSER_SECONDS = 365 * 24 * 3600;
const BROWSER_ID_BYTES = 24;
const USER_AGENT_LENGTH_MAX = 300;

/** With the prefix, neither a page on http nor a page on another subdomain can set the cookie. */
const browserCookieName = (isSecure: boolean): string => (isSecure ? "__Host-browser" : "browser");
const SIGN_IN_COOKIE = "sign_in";

const cookie = (name: string, value: string, about: { seconds: number; isSecure: boolean }): string =>
  `${name}=${value}; Path=/; Max-Age=${about.seconds}; HttpOnly; SameSite=Lax${about.isSecure ? "; Secure" : ""}`;

/** The id in the browser's cookie; undefined without one. */
const readBrowserId = (request: Request, isSecure: boolean): string | undefined =>
  readCookie(request.headers.cookie, browserCookieName(isSecure));

/** The visitor, for auth, and the cookies that the response must set; a browser without an id gets a new one. */
export type Visit = {
  readonly visitor: Visitor;
  /** Set-Cookie values of the response. */
  readonly cookies: readonly string[];
};

/** Reads the visitor of a request; a browser without an id gets one. */
export function readVisit(
  request: Request,
  facts: RequestContext,
  about: { isSecure: boolean; turnstile?: string },
): Visit {
  const known = readBrowserId(request, about.isSecure);
  const browserId = known ?? randomBytes(BROWSER_ID_BYTES).toString("base64url");
  const { isSecure, turnstile = "" } = about;
  const name = browserCookieName(isSecure);
  return {
    visitor: {
      address: facts.address,
      userAgent: request.get("user-agent")?.slice(0, USER_AGENT_LENGTH_MAX) ?? "",
      browserId,
      turnstileToken: turnstile,
      language: facts.language,
    },
    cookies: known === undefined ? [cookie(name, browserId, { seconds: BROWSER_SECONDS, isSecure })] : [],
  };
}

/** The Set-Cookie value for a sign-in that waits for its second factor; "" deletes it. */
export const waitingSignInCookie = (pendingId: string, about: { seconds: number; isSecure: boolean }): string =>
  cookie(SIGN_IN_COOKIE, pendingId, { ...about, seconds: pendingId === "" ? 0 : about.seconds });

/** The id of the sign-in pending in this browser, "" for none. */
export const readWaitingSignIn = (request: Request): string => readCookie(request.headers.cookie, SIGN_IN_COOKIE) ?? "";

/** The origin of the browser's page: the Origin header, else the address of the request. */
export function pageOrigin(request: Request): string {
  const { origin } = request.headers;
  return origin !== undefined && origin !== "null" ? origin : `${request.protocol}://${request.headers.host ?? ""}`;
}
