import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";

const DEFAULT_ADDRESS = "http://localhost:3000";

/**
 * The site's own address without a trailing slash: the option ServerAddress, else the default address of a new install.
 */
export function siteAddress(options: OptionsInForce): string {
  const address = options.text("ServerAddress").trim().replace(/\/+$/, "");
  return address === "" ? DEFAULT_ADDRESS : address;
}
