import { createHash, randomBytes } from "node:crypto";
import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { z } from "zod";
import type { TicketKind, TicketStore } from "../codes/ticket-store.ts";
import { browserHash } from "../sign-in/sign-in-finish.ts";

const StatePayload = z.object({
  browser: z.string(),
  /** The user who was signed in when the state was created and is linking an account; 0 for a visitor. */
  userId: z.int(),
  affCode: z.string(),
  /** Empty when the client builds the provider's address itself. */
  provider: z.string(),
  verifier: z.string().optional(),
  nonce: z.string().optional(),
  /** The site's address that the callback leads to; undefined in states of older versions. */
  site: z.string().optional(),
});
export type OAuthState = z.infer<typeof StatePayload>;
export type OAuthStates = ReturnType<typeof createOAuthStates>;

const STATE: TicketKind<OAuthState> = { name: "oauth-state", payload: StatePayload, lifeSeconds: 600 };
const RANDOM_BYTES = 32;

const random = (): string => randomBytes(RANDOM_BYTES).toString("base64url");
/** PKCE S256 challenge. */
export const toCodeChallenge = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

const invalid = (): AppError => new AppError("oauth_state_invalid", "the state was not made in this browser");

/** States that tie a provider's callback to the browser and the user that started the flow. */
export function createOAuthStates(tickets: TicketStore) {
  return {
    /**
     * Creates a state; for a named provider with the PKCE and nonce secrets. Throws oauth_state_invalid for a browser
     * without an id.
     */
    async make(about: Pick<OAuthState, "userId" | "affCode" | "provider" | "site">, visitor: Visitor | undefined) {
      if (!visitor || visitor.browserId === "") throw invalid();
      const secrets = about.provider === "" ? {} : { verifier: random(), nonce: random() };
      const payload = { ...about, ...secrets, browser: browserHash(visitor) };
      return { state: await tickets.issue(STATE, payload), ...secrets };
    },
    /**
     * Consumes a state. Throws oauth_state_invalid when it is unknown, used, of another browser or provider, or when a
     * different user is signed in than when it was created.
     */
    async take(
      state: string,
      check: { readonly provider: string; readonly userId: number; readonly visitor: Visitor | undefined },
    ): Promise<OAuthState> {
      const found = await tickets.take(STATE, state);
      if (!found || check.visitor?.browserId === "" || found.browser !== browserHash(check.visitor)) throw invalid();
      if (found.provider !== "" && found.provider !== check.provider) throw invalid();
      if (found.userId !== 0 && found.userId !== check.userId) throw invalid();
      return found;
    },
  };
}
