import type { PriceHistoryServiceServer } from "@turnpike/proto/auth/v1/price_history_service";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { FormerPrices } from "./former-prices.ts";

/** The rpc by which gateways of earlier versions read the history of prices; billing answers it. */
export const priceHistoryHandlers = (
  prices: Pick<FormerPrices, "listChanges">,
): Handlers<PriceHistoryServiceServer> => ({
  listPriceChanges: async (request, context) => prices.listChanges(requireAdmin(context), request),
});
