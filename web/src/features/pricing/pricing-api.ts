import { PricingAnswer } from "@turnpike/contract/api/pricing";
import { queryOptions } from "@tanstack/react-query";
import { callRaw } from "../../lib/api-client.ts";

/** Every callable model with its price, and the groups the reader may use. */
export const pricingQuery = queryOptions({
  queryKey: ["pricing"],
  queryFn: ({ signal }) => callRaw("GET", "/api/pricing", { schema: PricingAnswer, signal }),
  staleTime: 30_000,
});
