/** The users of the demo, heaviest first. */
export const DEMO_USERS = [
  "northwind-ai",
  "maria",
  "acme-support",
  "quantlab",
  "lin.wei",
  "studio-nova",
  "hana.kim",
  "papertrail",
  "omar",
  "greenfield",
  "sofia.rossi",
  "tidepool",
  "zhang.min",
  "lucas",
  "harbor-data",
  "priya",
  "emil",
  "blue-otter",
  "chen.yu",
  "noah",
  "atlas-legal",
  "ines",
  "yuki",
  "tom",
] as const;

/** The customer whose console the demo names. */
export const DEMO_CUSTOMER = "maria";
export const DEMO_ADMIN = "admin";
/** The demo is for one's own machine; all its users have this password. */
export const DEMO_PASSWORD = "turnpike-demo";
