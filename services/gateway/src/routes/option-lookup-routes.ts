import { z } from "zod/mini";
import { successSchema } from "@turnpike/contract/api/common";
import {
  OidcDiscoveryBody,
  PresetQuery,
  OidcDiscovery,
  PresetRatios,
  UpdateCheck,
} from "@turnpike/contract/api/option";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** These calls make up to three requests of ten seconds each to other hosts; no caller waits longer than this. */
const OUTSIDE_TIMEOUT_MS = 20_000;

const SPECS = {
  fetchPresetRatios: {
    access: "admin",
    summary: "Fetch preset ratios of a public source",
    returns: successSchema(PresetRatios),
    query: PresetQuery,
  },
  checkForUpdate: { access: "admin", summary: "Check for a newer release", returns: successSchema(UpdateCheck) },
  discoverOidc: {
    access: "admin",
    summary: "Read the discovery document of an OIDC provider",
    returns: successSchema(OidcDiscovery),
    body: OidcDiscoveryBody,
  },
} as const;

/** What auth reads from third parties for the settings pages. Mounted at /api/option. */
export function optionLookupRoutes({ services: { site }, route, program }: RoutesDeps): Router {
  return Router()
    .get(
      "/preset_ratios",
      route(SPECS.fetchPresetRatios, async ({ query }, { call }) => {
        const found = await site.fetchPresetRatios(query, { ...call, timeoutMs: OUTSIDE_TIMEOUT_MS });
        return ok({
          source: PresetRatios.shape.source.parse(query.source),
          model_ratio: found.hasModelRatio ? found.modelRatio : null,
          completion_ratio: found.completionRatio,
        });
      }),
    )
    .get(
      "/update_check",
      route(SPECS.checkForUpdate, async (_, { call }) => {
        const found = await site.checkForUpdate(
          { currentVersion: program.version },
          { ...call, timeoutMs: OUTSIDE_TIMEOUT_MS },
        );
        return ok({
          current: program.version,
          latest: found.latestVersion || null,
          is_newer: found.isNewer,
          url: found.url || null,
          published_at: found.publishedAt || null,
          problem: z.catch(UpdateCheck.shape.problem, "unreadable").parse(found.problem),
        });
      }),
    )
    .post(
      "/oidc_discovery",
      route(SPECS.discoverOidc, async ({ body }, { call }) => {
        const found = await site.discoverOidc(
          { wellKnown: body.well_known },
          { ...call, timeoutMs: OUTSIDE_TIMEOUT_MS },
        );
        return ok({
          issuer: found.issuer,
          well_known: found.wellKnown,
          authorization_endpoint: found.authorizationEndpoint,
          token_endpoint: found.tokenEndpoint,
          user_info_endpoint: found.userInfoEndpoint,
          end_session_endpoint: found.endSessionEndpoint,
          scopes: found.scopes,
        });
      }),
    );
}
