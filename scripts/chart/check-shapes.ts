import { join } from "node:path";
import { MODEL_API_PREFIXES } from "@turnpike/contract/api/model-api-paths";
import { CHART, type Manifest, render } from "./helm.ts";
import { podOf } from "./pods.ts";

type Check = readonly [promise: string, holds: (manifests: readonly Manifest[]) => boolean];

const count = (manifests: readonly Manifest[], kind: string): number =>
  manifests.filter((manifest) => manifest.kind === kind).length;
const find = (manifests: readonly Manifest[], kind: string, end: string): Manifest | undefined =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name.endsWith(end));
const text = (manifest: Manifest | undefined): string => JSON.stringify(manifest ?? {});
const envOf = (manifests: readonly Manifest[], service: string): string =>
  JSON.stringify(
    podOf(find(manifests, "Deployment", `-${service}`) ?? { kind: "", metadata: { name: "" } })?.containers[0]?.env,
  );

/** Guarantees that every shape must meet. */
const ALWAYS: readonly Check[] = [
  ["six services run", (all) => count(all, "Deployment") === 6],
  [
    "the gateway has neither the master key nor a database",
    (all) => !/MASTER_KEY|MONGODB_URL/.test(envOf(all, "gateway")),
  ],
  [
    "no two resources share a name",
    (all) => new Set(all.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).size === all.length,
  ],
  [
    "every Service has an ops port",
    (all) =>
      all
        .filter(
          ({ kind, metadata }) => kind === "Service" && metadata.labels?.["app.kubernetes.io/component"] === "relay",
        )
        .every((service) => text(service).includes('"ops"')),
  ],
];

const SHAPES: Readonly<Record<string, readonly Check[]>> = {
  trial: [
    ["MongoDB, Redis and NATS run inside", (all) => count(all, "StatefulSet") === 3],
    ["no claims are made", (all) => !text(find(all, "StatefulSet", "-mongodb")).includes("volumeClaimTemplates")],
    ["a job migrates and pods wait for it", (all) => count(all, "Job") === 1 && envOf(all, "auth").includes('"wait"')],
    [
      "only the relay and billing's like reach Redis",
      (all) => !text(find(all, "NetworkPolicy", "-redis")).includes("gateway"),
    ],
    [
      "billing hears auth, relay and gateway only",
      (all) => text(find(all, "NetworkPolicy", "-billing")).includes('["auth","gateway","relay"]'),
    ],
  ],
  urls: [
    ["nothing runs inside", (all) => count(all, "StatefulSet") === 0],
    ["no policy where they are off", (all) => count(all, "NetworkPolicy") === 0],
    [
      "only relay and gateway, which have two pods, have a disruption budget",
      (all) => count(all, "PodDisruptionBudget") === 2,
    ],
  ],
  production: [
    ["no Secret is made", (all) => count(all, "Secret") === 0],
    [
      "relay and gateway follow the load, the relay by its streams too",
      (all) =>
        count(all, "HorizontalPodAutoscaler") === 2 &&
        text(find(all, "HorizontalPodAutoscaler", "-relay")).includes("turnpike_relay_streams_in_flight"),
    ],
    ["every service has a disruption budget", (all) => count(all, "PodDisruptionBudget") === 6],
    [
      "an autoscaled service states no replicas",
      (all) => !text(find(all, "Deployment", "-relay")).includes('"replicas"'),
    ],
    [
      "metrics are read from ServiceMonitors, with rules and four dashboards",
      (all) =>
        count(all, "ServiceMonitor") === 1 && count(all, "PrometheusRule") === 1 && count(all, "ConfigMap") === 4,
    ],
    [
      "alerts name their runbook",
      (all) => text(find(all, "PrometheusRule", "")).includes("runbooks/TurnpikeServiceDown.md"),
    ],
    ["backups have a claim", (all) => count(all, "CronJob") === 1 && count(all, "PersistentVolumeClaim") === 1],
    ["certificates are mounted and used", (all) => envOf(all, "relay").includes("GRPC_TLS_DIR")],
    [
      "the ingress sends the declared prefixes to the relay",
      (all) =>
        MODEL_API_PREFIXES.filter(({ ingress }) => ingress === "relay").every(({ prefix }) =>
          new RegExp(`"${prefix}/"[^}]*-relay`).test(text(find(all, "Ingress", ""))),
        ),
    ],
    [
      "pods get two minutes and more for streams",
      (all) => text(find(all, "Deployment", "-relay")).includes('"terminationGracePeriodSeconds":140'),
    ],
  ],
  "gateway-api": [
    ["a route belongs to the gateway", (all) => count(all, "HTTPRoute") === 1 && count(all, "Ingress") === 0],
    ["metrics are read from pods", (all) => count(all, "PodMonitor") === 1],
    ["each pod sees to its own migrations", (all) => count(all, "Job") === 0 && envOf(all, "auth").includes('"start"')],
    [
      "a claim that is there is used",
      (all) => count(all, "PersistentVolumeClaim") === 0 && text(find(all, "CronJob", "")).includes('"backups"'),
    ],
  ],
};

/** Guarantees that the shapes in the ci folder do not meet. */
export const checkShapes = (): string[] =>
  Object.entries(SHAPES).flatMap(([shape, checks]) => {
    const manifests = render([join(CHART, `ci/${shape}-values.yaml`)]);
    return [...ALWAYS, ...checks]
      .filter(([, holds]) => !holds(manifests))
      .map(([promise]) => `${shape}: not so: ${promise}`);
  });
