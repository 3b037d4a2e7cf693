import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";

/** Whom passkeys are made for: the site's host and where its pages are. */
export type RelyingParty = { readonly id: string; readonly name: string; readonly origin: string };

/** By the option ServerAddress; while that is empty, by where the browser says it is. Throws passkey_refused for no web address. */
export function relyingParty(options: OptionsInForce, pageOrigin: string): RelyingParty {
  const address = options.text("ServerAddress").trim() || pageOrigin;
  if (!URL.canParse(address)) throw new AppError("passkey_refused", "the page has no origin");
  const { hostname, origin } = new URL(address);
  return { id: hostname, name: options.text("SystemName"), origin };
}
