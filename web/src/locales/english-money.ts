import money from "./en/money.json" with { type: "json" };

/** English for the sentences that only the wallet, the orders and the ledger show; loaded with them. */
export const englishMoney: Readonly<Record<string, string>> = { ...money };
