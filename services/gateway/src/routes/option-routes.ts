import { OptionBody } from "@turnpike/contract/api/option";
import { FallbackPricingBody, isFallbackPricingValid } from "@turnpike/contract/options/check-fallback-pricing";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../http/answer.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** The site's settings. Mounted at /api/option. */
export function optionRoutes({ services: { auth }, route, options }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route({ access: "admin" }, async (_, { call }) =>
        ok((await auth.listOptions({}, call)).options.map(({ key, value }) => ({ key, value }))),
      ),
    )
    .put(
      "/",
      route({ access: "admin", body: OptionBody }, async ({ body }, { call }) => {
        await auth.setOption(body, call);
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
