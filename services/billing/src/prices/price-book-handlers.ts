import type { PriceChange } from "@turnpike/contract/pricing/price-differences";
import { isPriceKey } from "@turnpike/contract/pricing/price-options";
import type { PriceBookServiceServer, PriceOptionChange } from "@turnpike/proto/billing/v1/price_book_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { PriceBook } from "./price-book.ts";
import type { PriceHistory } from "./price-history.ts";

const invalid = (key: string, path: string, detail: string): AppError =>
  new AppError("option_invalid", `the price at ${path} is not valid`, { params: { key, path, detail } });

function parseEntries(key: string, entries: Readonly<Record<string, string>>): Record<string, unknown> {
  const parse = ([name, text]: [string, string]): [string, unknown] => {
    try {
      return [name, JSON.parse(text)];
    } catch {
      throw invalid(key, `${key}[${JSON.stringify(name)}]`, "不是合法的 JSON 字符串");
    }
  };
  return Object.fromEntries(Object.entries(entries).map(parse));
}

/** Reads a change; throws option_unknown for what is no price option. */
function toChange({ key, value, reset, set, remove }: PriceOptionChange): PriceChange {
  if (!isPriceKey(key))
    throw new AppError("option_unknown", "not a price option", { params: { key: key.slice(0, 100) } });
  if (value !== undefined) return { key, value };
  return reset ? { key, reset } : { key, set: parseEntries(key, set), remove };
}

/** The rpcs of the price book: read by services and administrators, changed by administrators. */
export const priceBookHandlers = (deps: {
  book: PriceBook;
  history: Pick<PriceHistory, "list">;
}): Handlers<PriceBookServiceServer> => ({
  async getPriceBook(_request, context) {
    if (context.actor) requireAdmin(context);
    const { revision, options } = await deps.book.snapshot();
    return { revision, options: [...options] };
  },
  async changePrices({ changes, expectedRevision }, context) {
    const actor = requireAdmin(context);
    return { revision: await deps.book.change(actor, changes.map(toChange), expectedRevision) };
  },
  async listPriceChanges(request, context) {
    requireAdmin(context);
    const { items, total } = await deps.history.list(request);
    return {
      items: items.map(({ _id: id, before, after, ...change }) => ({ ...change, id, before, after })),
      total,
    };
  },
});
