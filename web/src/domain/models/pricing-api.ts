import type { ModelPricing, PricingAnswer } from "@turnpike/contract/api/pricing";
import { queryOptions } from "@tanstack/react-query";
import { isNameList } from "../../lib/api-schemas.ts";
import { callRaw } from "../../lib/api-client.ts";
import { isFlag, isListOf, isMapOf, isNumber, isObjectOf, isText } from "../../lib/check.ts";

const isModelPricing = isObjectOf<ModelPricing>({
  model_name: isText,
  quota_type: isNumber,
  model_ratio: isNumber,
  completion_ratio: isNumber,
  cache_ratio: isNumber,
  model_price: isNumber,
  owner_by: isText,
  enable_groups: isNameList,
  is_set: isFlag,
});

const isPricingAnswer = isObjectOf<PricingAnswer>({
  success: isFlag,
  message: isText,
  data: isListOf(isModelPricing),
  group_ratio: isMapOf(isNumber),
  usable_group: isMapOf(isText),
});

/** Reads the whole price list. Throws ApiError. */
export const readPricing = (signal: AbortSignal) => callRaw("GET", "/api/pricing", { fits: isPricingAnswer, signal });

/** Every callable model with its price, and the groups the reader may use. */
export const pricingQuery = queryOptions({
  queryKey: ["pricing"],
  queryFn: ({ signal }) => readPricing(signal),
  staleTime: 30_000,
});
