import { z } from "zod/mini";
import { ModelStatusList } from "@turnpike/contract/api/models/model-status";
import { PricingResponse, RatioConfig } from "@turnpike/contract/api/prices/pricing";
import { Done, successSchema } from "@turnpike/contract/api/common";
import { SetupBody, SetupState, SiteStatus } from "@turnpike/contract/api/status";
import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import { createModelStatusReader } from "../presenters/model-status.ts";
import { pricingFor } from "../presenters/billing/pricing.ts";
import { createRatioConfigReader } from "../presenters/billing/ratio-config.ts";
import { siteStatus } from "../site/site-status.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const SPECS = {
  readSetup: { access: "anyone", summary: "Read whether the set-up is done", returns: successSchema(SetupState) },
  runSetup: {
    access: "anyone",
    summary: "Run the set-up: create the root user, choose the mode",
    returns: Done,
    body: SetupBody,
  },
  readStatus: { access: "anyone", summary: "Read the public site data", returns: successSchema(SiteStatus) },
  testStatus: { access: "admin", summary: "Check that the services respond", returns: Done },
  listPrices: { access: "anyone-known", summary: "List models, prices and groups", returns: PricingResponse },
  readModelStatus: {
    access: "anyone-known",
    summary: "Read which models can be called, and their recent errors and latencies",
    returns: successSchema(ModelStatusList),
  },
  readRatioConfig: {
    access: "anyone",
    summary: "Read all ratios and price rules, where the site publishes them",
    returns: successSchema(RatioConfig),
    canBeClosed: true,
  },
} as const;

/** The tables of ratios, for other sites. Throws ratio_config_disabled where the site does not publish them. */
function ratioConfigRoute({ services, route, options }: RoutesDeps) {
  const readRatioConfig = createRatioConfigReader(services);
  return route(SPECS.readRatioConfig, async (_, { call }) => {
    if (!options.known().flag("ExposeRatioEnabled"))
      throw new AppError("ratio_config_disabled", "ExposeRatioEnabled is off");
    return ok(await readRatioConfig(call));
  });
}

/** The status of models, for users, and for visitors where the site publishes it. */
function modelStatusRoute({ services, route, options }: RoutesDeps) {
  const readModelStatus = createModelStatusReader(services);
  return route(SPECS.readModelStatus, async (_, { caller, call }) => {
    const known = options.known();
    if (!caller && !known.flag("PublicStatusEnabled"))
      throw new AppError("unauthenticated", "the status of models is visible to signed-in users only");
    return ok(await readModelStatus(caller?.user.group, call, known.flag("LogErrorEnabled")));
  });
}

/** Public calls: setup, status, texts of the site, prices. Mounted at /api. */
export function siteRoutes(deps: RoutesDeps): Router {
  const { services, route, options, readSetupState, program } = deps;
  const text = (key: OptionKey, summary: string) =>
    route({ access: "anyone", summary: summary, returns: successSchema(z.string()) }, () =>
      ok(options.known().text(key)),
    );
  return Router()
    .get(
      "/setup",
      route(SPECS.readSetup, async (_, { call }) => ok(await readSetupState(call))),
    )
    .post(
      "/setup",
      route(SPECS.runSetup, async ({ body }, { call }) => {
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
      route(SPECS.readStatus, async (_, { call }) =>
        ok(siteStatus(options.known(), await readSetupState(call), program)),
      ),
    )
    .get(
      "/status/test",
      route(SPECS.testStatus, async (_, { call }) => {
        await services.auth.getSetup({}, { ...call, timeoutMs: 2_000 });
        return ok();
      }),
    )
    .get("/notice", text("Notice", "Read the notice"))
    .get("/about", text("About", "Read the about page"))
    .get("/home_page_content", text("HomePageContent", "Read the home page"))
    .get(
      "/pricing",
      route(SPECS.listPrices, async (_, { caller, call }) => {
        if (!caller && !options.known().flag("PublicPricingEnabled"))
          throw new AppError("unauthenticated", "prices are visible to signed-in users only");
        return { body: await pricingFor(services, caller?.user.group ?? "", call) };
      }),
    )
    .get("/model_status", modelStatusRoute(deps))
    .get("/ratio_config", ratioConfigRoute(deps));
}
