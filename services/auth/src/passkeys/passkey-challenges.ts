import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import { z } from "zod";
import type { TicketKind, TicketStore } from "../codes/ticket-store.ts";
import type { OptionReader } from "../options/option-reader.ts";
import { refused } from "./passkey-verification.ts";
import { type RelyingParty, relyingParty } from "./relying-party.ts";

/** The place where a passkey is created or used. */
export type Place = { readonly origin: string; readonly visitor: Visitor | undefined };
export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>;

const Challenge = z.object({ challenge: z.string(), userId: z.int() });
type Challenge = z.infer<typeof Challenge>;
type Purpose = "registration" | "sign-in";

const KINDS: Readonly<Record<Purpose, TicketKind<Challenge>>> = {
  registration: { name: "passkey-registration", payload: Challenge, lifeSeconds: 300 },
  "sign-in": { name: "passkey-sign-in", payload: Challenge, lifeSeconds: 300 },
};

const getBrowser = (visitor: Visitor | undefined): string => {
  if (!visitor || visitor.browserId === "") throw refused("the browser has no id");
  return visitor.browserId;
};

/** Challenges in progress: each is bound to the requesting browser and single-use. */
export function createPasskeyChallenges({ tickets, options }: { tickets: TicketStore; options: OptionReader }) {
  return {
    /** The relying party at a place; throws passkey_refused where the site is not served. */
    getParty: async ({ origin }: Place): Promise<RelyingParty> => relyingParty(await options.inForce(), origin),
    put: (purpose: Purpose, { visitor }: Place, challenge: Challenge): Promise<void> =>
      tickets.put(KINDS[purpose], getBrowser(visitor), challenge),
    /** Removes and returns the browser's challenge; undefined when there is none. */
    take: (purpose: Purpose, { visitor }: Place): Promise<Challenge | undefined> =>
      tickets.take(KINDS[purpose], getBrowser(visitor)),
  };
}
