/** Floors of the gateway, lowest first: HTTP, then JSON forms of what services return, then routes. */
export default {
  root: "services/gateway/src",
  floors: [["http"], ["pass-through"], ["presenters"], ["site"], ["routes"], ["app.ts", "config.ts"], ["main.ts"]],
};
