import { OidcDiscoveryBody, OptionBatchBody, OptionBody, PresetQuery } from "@turnpike/contract/api/option";
import { FallbackPricingBody, isFallbackPricingValid } from "@turnpike/contract/options/fallback-pricing";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** Calls that look into the world take up to three hops of ten seconds; nobody waits longer than this. */
const OUTSIDE_TIMEOUT_MS = 20_000;

/** The site's settings. Mounted at /api/option. */
export function optionRoutes({ services: { auth, site }, route, options, program }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route({ access: "admin" }, async (_, { call }) =>
        ok((await auth.listOptions({}, call)).options.map(({ key, value }) => ({ key, value }))),
      ),
    )
    .get(
      "/secrets",
      route({ access: "admin" }, async (_, { call }) => ok((await site.listSecretStates({}, call)).isSet)),
    )
    .get(
      "/preset_ratios",
      route({ access: "admin", query: PresetQuery }, async ({ query }, { call }) => {
        const found = await site.fetchPresetRatios(query, { ...call, timeoutMs: OUTSIDE_TIMEOUT_MS });
        return ok({
          source: query.source,
          model_ratio: found.hasModelRatio ? found.modelRatio : null,
          completion_ratio: found.completionRatio,
        });
      }),
    )
    .get(
      "/update_check",
      route({ access: "admin" }, async (_, { call }) => {
        const asked = { currentVersion: program.version };
        const found = await site.checkForUpdate(asked, { ...call, timeoutMs: OUTSIDE_TIMEOUT_MS });
        return ok({
          current: program.version,
          latest: found.latestVersion || null,
          is_newer: found.isNewer,
          url: found.url || null,
          published_at: found.publishedAt || null,
          problem: found.problem,
        });
      }),
    )
    .post(
      "/oidc_discovery",
      route({ access: "admin", body: OidcDiscoveryBody }, async ({ body }, { call }) => {
        const asked = { wellKnown: body.well_known };
        const found = await site.discoverOidc(asked, { ...call, timeoutMs: OUTSIDE_TIMEOUT_MS });
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
    )
    .put(
      "/",
      route({ access: "admin", body: OptionBody }, async ({ body }, { call }) => {
        await auth.setOption(body, call);
        await options.reload();
        return ok();
      }),
    )
    .put(
      "/batch",
      route({ access: "admin", body: OptionBatchBody }, async ({ body }, { call }) => {
        await auth.setOptions(body, call);
        await options.reload();
        return ok();
      }),
    )
    .post(
      "/rest_model_ratio",
      route({ access: "admin" }, async (_, { call, facts }) => {
        await auth.resetModelRatio({}, call);
        await options.reload();
        return ok(null, facts.language === "en" ? "Model ratios have been reset" : "重置模型倍率成功");
      }),
    )
    .post(
      "/validate_fallback_pricing",
      route({ access: "admin", body: FallbackPricingBody }, ({ body }) => {
        if (!isFallbackPricingValid(body)) throw new AppError("fallback_pricing_invalid", "prices contradict");
        return ok();
      }),
    );
}
