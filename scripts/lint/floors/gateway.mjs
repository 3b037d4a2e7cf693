/** Floors of the gateway, lowest first: HTTP, the pass-through to the relay, JSON forms of what services return, the site, then routes. */
export default {
  root: "services/gateway/src",
  floors: [
    ["install-test", "declared"],
    ["http"],
    ["pass-through"],
    ["presenters"],
    ["site"],
    ["routes"],
    ["metrics.ts"],
    ["app.ts", "config.ts"],
    ["main.ts"],
  ],
};
