/** Floors of the messaging service, lowest first: deliveries, then what is delivered, then the notices that decide on it. */
export default {
  root: "services/messaging/src",
  floors: [["delivery"], ["inbox"], ["mail"], ["webhook"], ["notices"], ["messaging.ts", "config.ts"], ["main.ts"]],
};
