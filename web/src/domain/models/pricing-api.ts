import { PricingResponse } from "@turnpike/contract/api/prices/pricing";
import { queryOptions } from "@tanstack/react-query";
import { callRaw } from "../../lib/api/api-client.ts";

/** Reads the whole price list. Throws ApiError. */
export const readPricing = (signal: AbortSignal) => callRaw("GET", "/api/pricing", { schema: PricingResponse, signal });

/** Every callable model with its price, and the groups that the user may use. */
export const pricingQuery = queryOptions({
  queryKey: ["pricing"],
  queryFn: ({ signal }) => readPricing(signal),
  staleTime: 30_000,
});
