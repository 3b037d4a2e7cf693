/** Floors of the contract, lowest first: limits, errors, texts and client snippets, the price of a call, site options, the shapes of `/api`. */
export default {
  root: "services/contract/src",
  floors: [
    ["limits.ts", "latency-scale.ts"],
    ["errors", "texts", "clients"],
    ["pricing"],
    ["options"],
    ["api"],
    ["errors.ts"],
  ],
};
