import { Done, successSchema } from "@turnpike/contract/api/common";
import { OptionBatchBody, OptionBody, OptionList, SecretStates } from "@turnpike/contract/api/option";
import { FallbackPricingBody, isFallbackPricingValid } from "@turnpike/contract/options/fallback-pricing";
import { isOptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { normalizeOption } from "@turnpike/contract/options/option-formats";
import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import { isPriceKey } from "@turnpike/contract/options/price-options";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import type { Services } from "../http/services.ts";
import { checkGroupChange } from "../site/groups.ts";
import { readPriceOptions, savePriceOptions } from "../site/price-options.ts";
import type { RoutesDeps } from "./routes-deps.ts";

type Option = { readonly key: string; readonly value: string };

/** Refuses a change for auth and billing before either has stored its part, when a value in it is not valid. */
function checkOptions(changed: readonly Option[]): void {
  for (const { key, value } of changed) {
    if (!isOptionKey(key))
      throw new AppError("option_unknown", "unknown option", { params: { key: key.slice(0, 100) } });
    const detail = checkOptionValue(key, normalizeOption(OPTIONS[key], value));
    if (detail !== undefined)
      throw new AppError("option_invalid", "the option's value is not valid", { params: { key, detail } });
  }
}

/** Checks what a change of options does to the groups; throws option_invalid, group_in_use, group_unknown. */
async function checkGroups(services: Services, options: readonly Option[], call: CallOptions): Promise<void> {
  const find = (name: string): Option | undefined => options.find(({ key }) => key === name);
  const [ratios, usable] = [find("GroupRatio"), find("UserUsableGroups")];
  checkOptions([ratios, usable].filter((option) => option !== undefined));
  await checkGroupChange(services, { ratios, usable: usable?.value }, call);
}

const SPECS = {
  listOptions: {
    access: "admin",
    summary: "List the options without secrets",
    returns: successSchema(OptionList),
  },
  listSecretStates: {
    access: "admin",
    summary: "List which secret options are set",
    returns: successSchema(SecretStates),
  },
  changeOption: { access: "admin", summary: "Change an option", returns: Done, body: OptionBody },
  changeOptions: {
    access: "admin",
    summary: "Change several options, all or none",
    returns: Done,
    body: OptionBatchBody,
  },
  resetModelRatios: { access: "admin", summary: "Reset the model ratios to the built-in ones", returns: Done },
  validateFallbackPricing: {
    access: "admin",
    summary: "Validate fallback prices",
    returns: Done,
    body: FallbackPricingBody,
  },
} as const;

/** The site's settings. Mounted at /api/option. */
export function optionRoutes({ services, route, options }: RoutesDeps): Router {
  const { auth, site } = services;
  return Router()
    .get(
      "/",
      route(SPECS.listOptions, async (_, { call }) => {
        const [listed, prices] = await Promise.all([auth.listOptions({}, call), readPriceOptions(services, call)]);
        const getValue = (key: string, value: string): string => (isPriceKey(key) ? (prices.get(key) ?? value) : value);
        return ok(listed.options.map(({ key, value }) => ({ key, value: getValue(key, value) })));
      }),
    )
    .get(
      "/secrets",
      route(SPECS.listSecretStates, async (_, { call }) => ok((await site.listSecretStates({}, call)).isSet)),
    )
    .put(
      "/",
      route(SPECS.changeOption, async ({ body }, { call }) => {
        const { key, value } = body;
        await checkGroups(services, [body], call);
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
      route(SPECS.changeOptions, async ({ body }, { call }) => {
        const prices = body.options.flatMap(({ key, value }) => (isPriceKey(key) ? [{ key, value }] : []));
        const others = body.options.filter(({ key }) => !isPriceKey(key));
        if (prices.length > 0 && others.length > 0) checkOptions(body.options);
        await checkGroups(services, body.options, call);
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
      route(SPECS.resetModelRatios, async (_, { call, facts }) => {
        await savePriceOptions(services, [{ key: "ModelRatio", value: undefined }], call);
        return ok(null, facts.language === "en" ? "Model ratios have been reset" : "重置模型倍率成功");
      }),
    )
    .post(
      "/validate_fallback_pricing",
      route(SPECS.validateFallbackPricing, ({ body }) => {
        if (!isFallbackPricingValid(body)) throw new AppError("fallback_pricing_invalid", "prices contradict");
        return ok();
      }),
    );
}
