import { OidcDiscoveryBody, OptionBatchBody, OptionBody, PresetQuery } from "@turnpike/contract/api/option";
import { FallbackPricingBody, isFallbackPricingValid } from "@turnpike/contract/options/fallback-pricing";
import { isOptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { normalizeOption } from "@turnpike/contract/options/option-formats";
import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import { isPriceKey } from "@turnpike/contract/pricing/price-options";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import { readPriceOptions, savePriceOptions } from "../site/price-options.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** Calls that look into the world take up to three hops of ten seconds; nobody waits longer than this. */
const OUTSIDE_TIMEOUT_MS = 20_000;

/** Refuses a change for auth and billing before either has stored its part, when a value in it is not valid. */
function checkOptions(changed: readonly { readonly key: string; readonly value: string }[]): void {
  for (const { key, value } of changed) {
    if (!isOptionKey(key))
      throw new AppError("option_unknown", "unknown option", { params: { key: key.slice(0, 100) } });
    const detail = checkOptionValue(key, normalizeOption(OPTIONS[key], value));
    if (detail !== undefined)
      throw new AppError("option_invalid", "the option's value is not valid", { params: { key, detail } });
  }
}

/** The site's settings. Mounted at /api/option. */
export function optionRoutes({ services, route, options, program }: RoutesDeps): Router {
  const { auth, site } = services;
  return Router()
    .get(
      "/",
      route({ access: "admin" }, async (_, { call }) => {
        const [listed, prices] = await Promise.all([auth.listOptions({}, call), readPriceOptions(services, call)]);
        const valueOf = (key: string, value: string): string => (isPriceKey(key) ? (prices.get(key) ?? value) : value);
        return ok(listed.options.map(({ key, value }) => ({ key, value: valueOf(key, value) })));
      }),
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
        const { key, value } = body;
        if (isPriceKey(key)) await savePriceOptions(services, [{ key, value }], call);
        else {
          await auth.setOption(body, call);
          await options.reload();
        }
        return ok();
      }),
    )
    .put(
      "/batch",
      route({ access: "admin", body: OptionBatchBody }, async ({ body }, { call }) => {
        const prices = body.options.flatMap(({ key, value }) => (isPriceKey(key) ? [{ key, value }] : []));
        const others = body.options.filter(({ key }) => !isPriceKey(key));
        if (prices.length > 0 && others.length > 0) checkOptions(body.options);
        if (prices.length > 0) await savePriceOptions(services, prices, call);
        if (others.length > 0) {
          await auth.setOptions({ options: others }, call);
          await options.reload();
        }
        return ok();
      }),
    )
    .post(
      "/rest_model_ratio",
      route({ access: "admin" }, async (_, { call, facts }) => {
        await savePriceOptions(services, [{ key: "ModelRatio", value: undefined }], call);
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
