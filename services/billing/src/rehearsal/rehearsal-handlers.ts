import { type OptionsInForce, optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import type { PriceBookServiceServer } from "@turnpike/proto/billing/v1/price_book_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { DAY_SECONDS } from "../store/calendar.ts";
import type { PriceBook } from "../prices/price-book.ts";
import { readPriceChange } from "../prices/price-change-reader.ts";
import type { Collections } from "../store/collections.ts";
import { rehearseStep } from "./rehearsal-step.ts";
import { createPriceFinder, type PriceFinder } from "./row-quota.ts";

const SPAN_DAYS_MAX = 366;

type Deps = {
  readonly book: Pick<PriceBook, "preview">;
  readonly collections: Pick<Collections, "logs">;
  readonly options: () => OptionsInForce;
  readonly nowMs: () => number;
};

function requireSpan(startSeconds: number, endSeconds: number): void {
  if (endSeconds < startSeconds)
    throw new AppError("invalid_input", "the span ends before it starts", { params: { detail: "end_timestamp" } });
  if (endSeconds - startSeconds > SPAN_DAYS_MAX * DAY_SECONDS)
    throw new AppError("range_too_long", "the span is too long", { params: { days: String(SPAN_DAYS_MAX) } });
}

/** The rpc that rehearses prices, for administrators. */
export const rehearsalHandlers = (deps: Deps): Pick<Handlers<PriceBookServiceServer>, "rehearsePrices"> => ({
  async rehearsePrices({ changes, expectedRevision, startSeconds, endSeconds, after }, context) {
    requireAdmin(context);
    requireSpan(startSeconds, endSeconds);
    const { revision, current, proposed } = await deps.book.preview(changes.map(readPriceChange), expectedRevision);
    const { quotaPerUnit, selfUseModeEnabled } = toPriceTables(deps.options());
    const toFinder = (rows: typeof current): PriceFinder =>
      createPriceFinder({ ...toPriceTables(optionsInForce(rows)), quotaPerUnit, selfUseModeEnabled });
    const lists = { current: toFinder(current), proposed: toFinder(proposed) };
    const span = { startSeconds, endSeconds, after, nowMs: deps.nowMs };
    return { revision, ...(await rehearseStep(deps.collections, lists, span)) };
  },
});
