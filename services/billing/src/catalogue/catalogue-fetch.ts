import { AppError } from "@turnpike/shared/errors/app-error";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { CatalogueSource } from "@turnpike/shared/catalogue/catalogue-formats";

/** Public addresses of the sources that have one. */
const ADDRESSES: Readonly<Partial<Record<CatalogueSource, string>>> = {
  litellm: "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json",
  models_dev: "https://models.dev/api.json",
};
/** The paths that the family's sites serve their prices at. */
const PATHS: Readonly<Partial<Record<CatalogueSource, string>>> = {
  ratio_config: "/api/ratio_config",
  pricing: "/api/pricing",
};

/** The longest catalogue that is read; LiteLLM's list has 3 MB. */
export const CATALOGUE_BYTES_MAX = 16 * 1024 * 1024;

export const CATALOGUE_TIMEOUT_MS = 20_000;

const unreachable = (detail: string, cause?: unknown): AppError =>
  new AppError("catalogue_unreachable", "the catalogue could not be fetched", { params: { detail }, cause });

function toAddress(source: CatalogueSource, url: string): string {
  const address = url.trim() === "" ? ADDRESSES[source] : url.trim();
  if (address === undefined || !URL.canParse(address)) throw unreachable("an address is required");
  const parsed = new URL(address);
  const path = PATHS[source];
  return path !== undefined && parsed.pathname === "/" ? new URL(path, parsed).href : parsed.href;
}

/** The text of a catalogue. Throws address_not_allowed for private addresses, catalogue_unreachable for what cannot be read. */
export async function fetchCatalogue(
  guard: Pick<PrivateAddressGuard, "fetch">,
  source: CatalogueSource,
  url: string,
): Promise<string> {
  const address = toAddress(source, url);
  try {
    const response = await guard.fetch(address, { headers: { accept: "application/json" } });
    if (!response.ok) throw unreachable(`HTTP ${response.status}`);
    return await response.text();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { message, cause } = error as Error;
    const isTooLong = /size/.test(`${message} ${cause instanceof Error ? cause.message : ""}`);
    throw unreachable(isTooLong ? `longer than ${CATALOGUE_BYTES_MAX} bytes` : "connection failed", error);
  }
}
