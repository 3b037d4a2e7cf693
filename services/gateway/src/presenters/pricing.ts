import type { ModelPricing, PricingAnswer } from "@turnpike/contract/api/pricing";
import type { UserGroups } from "@turnpike/contract/api/user";
import type { GroupPrice, ModelPrice } from "@turnpike/proto/billing/v1/pricing_service";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Services } from "../http/services.ts";

/** Most models one ListPrices call takes. */
const MODELS_MAX = 5_000;

/** The groups somebody may use ("" is a visitor), with ratio and description. */
export async function getGroups(
  { prices }: Pick<Services, "prices">,
  userGroup: string,
  call: CallOptions,
): Promise<readonly GroupPrice[]> {
  return (await prices.listPrices({ models: [], userGroup }, call)).groups;
}

export const toUserGroups = (groups: readonly GroupPrice[]): UserGroups =>
  Object.fromEntries(groups.map(({ group, ratio, description }) => [group, { desc: description, ratio }]));

/** Each callable model with those of the groups that can call it, by name. */
export async function getModels(
  { channels }: Pick<Services, "channels">,
  groups: ReadonlySet<string> | undefined,
  call: CallOptions,
): Promise<Map<string, string[]>> {
  const { abilities } = await channels.listAbilities({}, call);
  const groupsByModel = new Map<string, string[]>();
  for (const { group, models } of abilities) {
    if (groups && !groups.has(group)) continue;
    for (const model of models) groupsByModel.set(model, [...(groupsByModel.get(model) ?? []), group]);
  }
  return new Map([...groupsByModel].sort(([a], [b]) => a.localeCompare(b, "en")));
}

const toModelPricing = (price: ModelPrice, enableGroups: readonly string[]): ModelPricing => ({
  model_name: price.modelName,
  quota_type: price.quotaType,
  model_ratio: price.modelRatio,
  completion_ratio: price.completionRatio,
  cache_ratio: price.cacheRatio,
  model_price: price.modelPrice,
  owner_by: "",
  enable_groups: [...enableGroups],
  is_set: price.isSet,
});

/** The price list for somebody of a group: the models they can call, and the groups they may choose. */
export async function pricingFor(
  services: Pick<Services, "channels" | "prices">,
  userGroup: string,
  call: CallOptions,
): Promise<PricingAnswer> {
  const groups = await getGroups(services, userGroup, call);
  const groupsByModel = await getModels(services, new Set(groups.map(({ group }) => group)), call);
  const names = [...groupsByModel.keys()];
  const data: ModelPricing[] = [];
  for (let start = 0; start < names.length; start += MODELS_MAX) {
    const models = names.slice(start, start + MODELS_MAX);
    const { prices } = await services.prices.listPrices({ models, userGroup }, call);
    data.push(...prices.map((price) => toModelPricing(price, groupsByModel.get(price.modelName) ?? [])));
  }
  return {
    success: true,
    message: "",
    data,
    group_ratio: Object.fromEntries(groups.map(({ group, ratio }) => [group, ratio])),
    usable_group: Object.fromEntries(groups.map(({ group, description }) => [group, description])),
  };
}
