import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";

/** The relying party: the site's host and its origin. */
export type RelyingParty = { readonly id: string; readonly name: string; readonly origin: string };

/**
 * Uses the option ServerAddress, or the origin the browser reports while that is empty. Throws passkey_refused for an
 * invalid web address.
 */
export function relyingParty(options: OptionsInForce, pageOrigin: string): RelyingParty {
  const address = options.text("ServerAddress").trim() || pageOrigin;
  if (!URL.canParse(address)) throw new AppError("passkey_refused", "the page has no origin");
  const { hostname, origin } = new URL(address);
  return { id: hostname, name: options.text("SystemName"), origin };
}
