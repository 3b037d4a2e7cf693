import { MEDIA, VENDOR_MEDIA } from "./media-rows.ts";
import type { PriceRow } from "./price-row.ts";
import { CLAUDES, ESTIMATES, GOOGLES, TEXT } from "./text-rows.ts";
import { SEARCHES, TOOLS } from "./tool-rows.ts";

/** Calls of every kind with their expected cost. */
export const PRICE_ROWS: readonly PriceRow[] = [
  ...TEXT,
  ...CLAUDES,
  ...GOOGLES,
  ...TOOLS,
  ...MEDIA,
  ...VENDOR_MEDIA,
  ...SEARCHES,
  ...ESTIMATES,
];
