import coupons from "./en/coupons.json" with { type: "json" };

/** English for the sentences that only the pages of redemption codes show; loaded with them. */
export const englishCoupons: Readonly<Record<string, string>> = { ...coupons };
