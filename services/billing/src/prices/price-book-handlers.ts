import type { PriceBookServiceServer } from "@turnpike/proto/billing/v1/price_book_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { PriceBook } from "./price-book.ts";
import { readPriceChange } from "./price-change-reader.ts";
import type { PriceHistory } from "./price-history.ts";

type Rpcs = "getPriceBook" | "changePrices" | "listPriceChanges";

/** The rpcs of the price book: read by services and administrators, changed by administrators. */
export const priceBookHandlers = (deps: {
  book: PriceBook;
  history: Pick<PriceHistory, "list">;
}): Pick<Handlers<PriceBookServiceServer>, Rpcs> => ({
  async getPriceBook(_request, context) {
    if (context.actor) requireAdmin(context);
    const { revision, options, view } = await deps.book.snapshot();
    return { revision, options: [...(context.actor ? view : options)] };
  },
  async changePrices({ changes, expectedRevision, isConfirmed }, context) {
    const actor = requireAdmin(context);
    return { revision: await deps.book.change(actor, changes.map(readPriceChange), { expectedRevision, isConfirmed }) };
  },
  async listPriceChanges(request, context) {
    requireAdmin(context);
    const { items, total } = await deps.history.list(request);
    return {
      items: items.map(({ _id: id, before, after, isBuiltInBefore = false, isBuiltInAfter = false, ...change }) => ({
        ...change,
        id,
        before,
        after,
        isBuiltInBefore,
        isBuiltInAfter,
      })),
      total,
    };
  },
});
