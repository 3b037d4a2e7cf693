/** Floors of the contract, lowest first: codes and limits, errors, texts and client snippets, the price of a call, site options, the shapes of `/api`. */
export default {
  root: "services/contract/src",
  floors: [
    ["codes.ts", "limits.ts", "latency-scale.ts", "channel-setting.ts"],
    ["errors", "texts", "clients"],
    ["pricing"],
    ["options"],
    ["api"],
    ["errors.ts"],
  ],
};
