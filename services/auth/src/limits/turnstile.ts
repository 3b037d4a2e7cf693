import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { z } from "zod";
import type { TicketStore } from "../codes/ticket-store.ts";
import type { OptionReader } from "../options/option-reader.ts";
import type { SecretReader } from "../options/secret-reader.ts";

export type Turnstile = ReturnType<typeof createTurnstile>;

/**
 * Cloudflare accepts a widget response once, while users request a code and then register: the browser is remembered
 * that long.
 */
const PASSED = { name: "turnstile-passed", payload: z.object({ address: z.string() }), lifeSeconds: 600 } as const;
const Verdict = z.object({ success: z.boolean() });

/** Cloudflare Turnstile, the bot check. */
export function createTurnstile(deps: {
  options: OptionReader;
  readSecret: SecretReader;
  tickets: TicketStore;
  fetch: PrivateAddressGuard["fetch"];
  verifyEndpoint: string;
}) {
  const { options, readSecret, tickets, fetch, verifyEndpoint } = deps;

  const verify = async (token: string, address: string): Promise<boolean> => {
    const secret = await readSecret("TurnstileSecretKey");
    const body = new URLSearchParams({ secret, response: token, ...(address === "" ? {} : { remoteip: address }) });
    try {
      const response = await fetch(verifyEndpoint, { method: "POST", body });
      return Verdict.parse(await response.json()).success;
    } catch (error) {
      // Without a verdict the check fails.
      throw new AppError("turnstile_failed", "the check could not be made", { cause: error });
    }
  };
  return {
    /**
     * Accepts a browser that passed within ten minutes or has a valid widget response; accepts all browsers while the check
     * is off. Throws turnstile_required or turnstile_failed.
     */
    async check(visitor: Visitor | undefined): Promise<void> {
      if (!(await options.inForce()).flag("TurnstileCheckEnabled")) return;
      const { browserId = "", address = "", turnstileToken = "" } = visitor ?? {};
      const passed = await tickets.peek(PASSED, browserId);
      if (passed && passed.address === address) return;
      if (turnstileToken === "") throw new AppError("turnstile_required", "no response of the widget");
      if (!(await verify(turnstileToken, address)))
        throw new AppError("turnstile_failed", "the widget's response was refused");
      if (browserId !== "") await tickets.put(PASSED, browserId, { address });
    },
  };
}
