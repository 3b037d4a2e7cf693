/** Floors of the billing service, lowest first: storage, the log and the usage stream, accounts, then what credits and charges them. */
export default {
  root: "services/billing/src",
  floors: [
    ["store", "metrics.ts"],
    ["auth-client", "logs", "pricing", "usage-stream"],
    ["reconciliation", "reports"],
    ["accounts", "ledger", "recovery"],
    ["payments", "redemptions", "tokens"],
    ["tasks", "usage"],
    ["money.ts"],
    ["billing.ts", "config.ts", "migrate.ts"],
    ["rpcs.ts"],
    ["ledger-check.ts", "main.ts"],
  ],
};
