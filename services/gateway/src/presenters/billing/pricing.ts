import { FoundPrice } from "@turnpike/contract/api/prices/model-prices";
import type { ModelPricing, PricingResponse, PricingDetails } from "@turnpike/contract/api/prices/pricing";
import type { UserGroups } from "@turnpike/contract/api/user";
import { isTaskModel } from "@turnpike/contract/pricing/task-price";
import type { GroupPrice, ModelPrice } from "@turnpike/proto/billing/v1/pricing_service";
import type { ListAbilitiesResponse } from "@turnpike/proto/channel/v1/channel_service";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Services } from "../../http/services.ts";

/** The maximum number of models in one ListPrices call. */
const MODELS_MAX = 5_000;

/** The groups that a user may choose ("" is a visitor), with ratio and description. */
export async function getGroups(
  { prices }: Pick<Services, "prices">,
  userGroup: string,
  call: CallOptions,
): Promise<readonly GroupPrice[]> {
  return (await prices.listPrices({ models: [], userGroup }, call)).groups;
}

export const toUserGroups = (groups: readonly GroupPrice[]): UserGroups =>
  Object.fromEntries(groups.map(({ group, ratio, description }) => [group, { desc: description, ratio }]));

/** The callable models: those of the groups that can call each, by name, and their names upstream where they differ. */
export type CallableModels = {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly upstreams: ReadonlyMap<string, readonly string[]>;
};

/** The models that some group can call; undefined for the models of all groups. */
export const getModels = async (
  { channels }: Pick<Services, "channels">,
  groups: ReadonlySet<string> | undefined,
  call: CallOptions,
): Promise<CallableModels> => toCallableModels(await channels.listAbilities({}, call), groups);

/** The models of these groups by name. */
export function toCallableModels(
  { abilities, mappedModels }: Pick<ListAbilitiesResponse, "abilities" | "mappedModels">,
  groups: ReadonlySet<string> | undefined,
): CallableModels {
  const groupsByModel = new Map<string, string[]>();
  for (const { group, models } of abilities) {
    if (groups && !groups.has(group)) continue;
    for (const model of models) groupsByModel.set(model, [...(groupsByModel.get(model) ?? []), group]);
  }
  const upstreams = new Map<string, string[]>();
  for (const { model, upstream } of mappedModels) upstreams.set(model, [...(upstreams.get(model) ?? []), upstream]);
  return { groups: new Map([...groupsByModel].sort(([a], [b]) => a.localeCompare(b, "en"))), upstreams };
}

/** The price of each model: by its own name, else by that of the first channel that maps it to a model with a price. */
export async function getPrices(
  { prices }: Pick<Services, "prices">,
  { groups, upstreams }: CallableModels,
  call: CallOptions,
): Promise<readonly ModelPrice[]> {
  const models = [...groups.keys()];
  const names = [...new Set([...models, ...models.flatMap((model) => upstreams.get(model) ?? [])])];
  const found = new Map<string, ModelPrice>();
  for (let start = 0; start < names.length; start += MODELS_MAX) {
    const part = await prices.listPrices({ models: names.slice(start, start + MODELS_MAX), userGroup: "" }, call);
    for (const price of part.prices) found.set(price.modelName, price);
  }
  return models.flatMap((model) => {
    const own = found.get(model);
    if (!own || own.isSet || isTaskModel(model)) return own ?? [];
    const mapped = (upstreams.get(model) ?? []).map((name) => found.get(name)).find((price) => price?.isSet);
    return { ...(mapped ?? own), modelName: model };
  });
}

/** True for a model that can be called: calls to others are refused until an administrator sets a price. */
export const isSellable = ({ isSet, modelName }: ModelPrice): boolean => isSet || isTaskModel(modelName);

const toDetails = (json: string): PricingDetails | null => (json === "" ? null : (JSON.parse(json) as PricingDetails));

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
  // A billing of an earlier version sends none.
  details: toDetails(price.detailsJson),
});

/** The price list for a user of a group: the models they can call, and the groups they may choose. */
export async function pricingFor(
  services: Pick<Services, "channels" | "prices">,
  userGroup: string,
  call: CallOptions,
): Promise<PricingResponse> {
  const groups = await getGroups(services, userGroup, call);
  const models = await getModels(services, new Set(groups.map(({ group }) => group)), call);
  const prices = await getPrices(services, models, call);
  return {
    success: true,
    message: "",
    data: prices.filter(isSellable).map((price) => toModelPricing(price, models.groups.get(price.modelName) ?? [])),
    group_ratio: Object.fromEntries(groups.map(({ group, ratio }) => [group, ratio])),
    usable_group: Object.fromEntries(groups.map(({ group, description }) => [group, description])),
  };
}

/** A price as an administrator sees it who is about to offer the model. */
export const toFoundPrice = ({ modelName, origin, quotaType, modelPrice, detailsJson }: ModelPrice): FoundPrice => ({
  model: modelName,
  origin: FoundPrice.shape.origin.safeParse(origin).data ?? "none",
  ...(quotaType === 1 ? { per_call: modelPrice } : {}),
  details: toDetails(detailsJson),
});
