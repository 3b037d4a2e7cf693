import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";

/** The option ServerAddress without a trailing slash; undefined while it is empty. */
export function findSiteAddress(options: OptionsInForce): string | undefined {
  const address = options.text("ServerAddress").trim().replace(/\/+$/, "");
  return address === "" ? undefined : address;
}

export const siteAddressUnknown = (): AppError =>
  new AppError("site_address_unknown", "ServerAddress is empty, and the request does not contain the address");
