import { queryOptions } from "@tanstack/react-query";
import { PricingAnswer } from "@turnpike/contract/api/pricing";
import { callRaw } from "../../lib/api-client.ts";

/** The names of the models that enabled channels offer. */
export const channelModelsQuery = queryOptions({
  queryKey: ["pricing", "names"],
  queryFn: async ({ signal }) => {
    const { data } = await callRaw("GET", "/api/pricing", { schema: PricingAnswer, signal });
    return data.map(({ model_name }) => model_name);
  },
});
