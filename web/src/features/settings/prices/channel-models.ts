import { queryOptions } from "@tanstack/react-query";
import { readPricing } from "../../../domain/models/pricing-api.ts";

/** The names of the models that enabled channels offer. */
export const channelModelsQuery = queryOptions({
  queryKey: ["pricing", "names"],
  queryFn: async ({ signal }) => (await readPricing(signal)).data.map(({ model_name }) => model_name),
});
