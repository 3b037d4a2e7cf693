/** Floors of the gateway, lowest first: HTTP, then JSON forms of what services return, then routes. */
export default {
  root: "services/gateway/src",
  floors: [
    ["services.ts"],
    ["http"],
    ["pass-through", "presenters"],
    ["site", "metrics.ts"],
    ["routes"],
    ["app.ts", "config.ts"],
    ["main.ts"],
  ],
};
