/** Floors of the channel service, lowest first. */
export default {
  root: "services/channel/src",
  floors: [
    ["channels"],
    ["upstream"],
    ["health"],
    ["routing"],
    ["runs"],
    ["channel.ts", "config.ts", "metrics.ts"],
    ["main.ts"],
  ],
};
