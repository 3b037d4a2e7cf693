import { SetupBody } from "@turnpike/contract/api/status";
import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import { pricingFor } from "../presenters/pricing.ts";
import { siteStatus } from "../site/site-status.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** What anybody may ask: setup, status, texts of the site, prices. Mounted at /api. */
export function siteRoutes({ services, route, options, readSetupState, program }: RoutesDeps): Router {
  const text = (key: OptionKey) => route({ access: "anyone" }, () => ok(options.known().text(key)));
  return Router()
    .get(
      "/setup",
      route({ access: "anyone" }, async (_, { call }) => ok(await readSetupState(call))),
    )
    .post(
      "/setup",
      route({ access: "anyone", body: SetupBody }, async ({ body }, { call }) => {
        await services.auth.runSetup(
          {
            username: body.username,
            password: body.password,
            confirmPassword: body.confirmPassword,
            selfUseModeEnabled: body.SelfUseModeEnabled,
            demoSiteEnabled: body.DemoSiteEnabled,
          },
          { ...call, timeoutMs: 15_000 },
        );
        await options.reload();
        return ok();
      }),
    )
    .get(
      "/status",
      route({ access: "anyone" }, async (_, { call }) =>
        ok(siteStatus(options.known(), await readSetupState(call), program)),
      ),
    )
    .get(
      "/status/test",
      route({ access: "admin" }, async (_, { call }) => {
        await services.auth.getSetup({}, { ...call, timeoutMs: 2_000 });
        return ok();
      }),
    )
    .get("/notice", text("Notice"))
    .get("/about", text("About"))
    .get("/home_page_content", text("HomePageContent"))
    .get(
      "/pricing",
      route({ access: "anyone-known" }, async (_, { caller, call }) => {
        if (!caller && !options.known().flag("PublicPricingEnabled"))
          throw new AppError("unauthenticated", "prices are for those who are signed in");
        return { body: await pricingFor(services, caller?.user.group ?? "", call) };
      }),
    );
}
