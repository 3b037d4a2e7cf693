import type { PriceHistoryServiceServer } from "@turnpike/proto/auth/v1/price_history_service";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { FormerPrices } from "./legacy-prices.ts";

/** The rpc with which gateways of earlier versions read the price history; billing serves it. */
export const priceHistoryHandlers = (
  prices: Pick<FormerPrices, "listChanges">,
): Handlers<PriceHistoryServiceServer> => ({
  listPriceChanges: async (request, context) => prices.listChanges(requireAdmin(context), request),
});
