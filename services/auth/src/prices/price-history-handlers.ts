import type { PriceHistoryServiceServer } from "@turnpike/proto/auth/v1/price_history_service";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { PriceHistory } from "./price-history.ts";

/** The rpc over price changes; for admins. */
export const priceHistoryHandlers = (history: PriceHistory): Handlers<PriceHistoryServiceServer> => ({
  async listPriceChanges(request, context) {
    requireAdmin(context);
    const { items, total } = await history.list(request);
    return {
      items: items.map(({ _id, before, after, ...change }) => ({ ...change, id: _id, before, after })),
      total,
    };
  },
});
