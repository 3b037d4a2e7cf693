import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Authenticate } from "../http/authenticator.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { PassThrough } from "./pass-through.ts";
import { sendRelayError, AUTH_UNAVAILABLE, NOT_SIGNED_IN, SESSION_REQUIRED } from "./pass-through-errors.ts";

type Deps = { readonly authenticate: Authenticate; readonly passThrough: PassThrough };

const CALLER_ERROR_CODES = new Set(["unauthenticated", "access_token_invalid", "user_header_mismatch"]);

/**
 * Passes playground calls through after identifying the user, by session only. The relay gets the gateway's proof of
 * the user's id, and no cookie.
 */
export function createPlaygroundPassThrough({ authenticate, passThrough }: Deps) {
  return async (request: IncomingMessage, response: ServerResponse, facts: RequestContext): Promise<void> => {
    try {
      const caller = await authenticate(request.headers, { requestId: facts.requestId }, "change");
      if (response.destroyed) return;
      if (!caller) return sendRelayError(response, NOT_SIGNED_IN, facts.requestId);
      if (caller.sessionId === undefined) return sendRelayError(response, SESSION_REQUIRED, facts.requestId);
      passThrough.handle(request, response, facts, caller.user.id);
    } catch (error) {
      const isTheirs = error instanceof AppError && CALLER_ERROR_CODES.has(error.code);
      if (!isTheirs) facts.log.warn({ err: error }, "playground user could not be identified");
      sendRelayError(response, isTheirs ? NOT_SIGNED_IN : AUTH_UNAVAILABLE, facts.requestId);
    }
  };
}
