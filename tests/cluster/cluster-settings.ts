const text = (name: string, fallback: string): string => process.env[name] ?? fallback;

/** The steps of the test under load, in this order. */
export const STEPS = ["upgrade", "helm-test", "roll", "delete", "scale", "backings"] as const;
export type Step = (typeof STEPS)[number];

/** The settings of this test; main.ts explains them. */
export const settings = {
  /** An address of this machine that pods can reach. */
  host: text("CLUSTER_HOST", "192.0.2.1"),
  callsPerSecond: Number(text("CLUSTER_RPS", "100")),
  steps: new Set<string>(text("CLUSTER_STEPS", STEPS.join(",")).split(",")),
  imagePrefix: text("IMAGE_PREFIX", "turnpike"),
  imageTag: text("IMAGE_TAG", "dev"),
  upgradeTag: process.env["UPGRADE_TAG"],
  moreValues: process.env["CLUSTER_VALUES"],
  isKept: process.env["CLUSTER_KEEP"] !== undefined,
};
