import type { SiteServiceServer } from "@turnpike/proto/auth/v1/site_service";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { OptionReader } from "../options/option-reader.ts";
import type { OptionService } from "../options/option-service.ts";
import { createFetchJson } from "./json-document.ts";
import { createOidcDiscovery } from "./oidc-discovery.ts";
import { createPresetRatios } from "./preset-ratios.ts";
import { createUpdateCheck } from "./update-check.ts";

/** RPCs that help admins to set up the site; each makes outbound requests on an admin's behalf and stores nothing. */
export function siteHandlers(deps: {
  options: OptionService;
  reader: OptionReader;
  fetch: PrivateAddressGuard["fetch"];
}): Handlers<SiteServiceServer> {
  const fetchJson = createFetchJson(deps.fetch);
  const discover = createOidcDiscovery(fetchJson);
  const presetRatios = createPresetRatios({ options: deps.reader, fetchJson });
  const checkForUpdate = createUpdateCheck({ options: deps.reader, fetchJson });
  return {
    async listSecretStates(_request, context) {
      return { isSet: await deps.options.secretStates(requireAdmin(context).role) };
    },
    async discoverOidc({ wellKnown }, context) {
      requireAdmin(context);
      return discover(wellKnown);
    },
    async fetchPresetRatios({ source }, context) {
      requireAdmin(context);
      return presetRatios(source);
    },
    async checkForUpdate({ currentVersion }, context) {
      requireAdmin(context);
      return checkForUpdate(currentVersion);
    },
  };
}
