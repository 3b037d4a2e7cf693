import { join } from "node:path";
import { MODEL_API_PREFIXES } from "@turnpike/contract/api/models/model-api-paths";
import { CHART, type Manifest, render } from "./helm.ts";
import { getPod, type Pod } from "./pods.ts";

type Check = readonly [promise: string, holds: (manifests: readonly Manifest[]) => boolean];

const count = (manifests: readonly Manifest[], kind: string): number =>
  manifests.filter((manifest) => manifest.kind === kind).length;
const countJobs = (manifests: readonly Manifest[]): number =>
  manifests.filter(({ kind, metadata }) => kind === "Job" && metadata.name.includes("-migrate-")).length;
const find = (manifests: readonly Manifest[], kind: string, end: string): Manifest | undefined =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name.endsWith(end));
const text = (manifest: Manifest | undefined): string => JSON.stringify(manifest ?? {});
const getEnv = (manifests: readonly Manifest[], service: string): string =>
  JSON.stringify(
    getPod(find(manifests, "Deployment", `-${service}`) ?? { kind: "", metadata: { name: "" } })?.containers[0]?.env,
  );

const getPods = (manifests: readonly Manifest[]): Pod[] => manifests.flatMap((manifest) => getPod(manifest) ?? []);

/** Whether a container can read the CA: the variable names the file, and the folder is mounted and read-only. */
const trustsOwnCa = ({ containers, volumes = [] }: Pod): boolean =>
  volumes.some((volume) => JSON.stringify(volume).includes('"secretName":"private-ca"')) &&
  containers.every(
    ({ env = [], volumeMounts = [] }) =>
      env.some(({ name, value }) => name === "NODE_EXTRA_CA_CERTS" && value === "/backing-tls/ca.pem") &&
      volumeMounts.some(({ mountPath, readOnly }) => mountPath === "/backing-tls" && readOnly === true),
  );

/** Guarantees that every shape must meet. */
const ALWAYS: readonly Check[] = [
  [
    "six services run, and the reconciler where configuration is declared",
    (all) => count(all, "Deployment") === (find(all, "Deployment", "-declared") === undefined ? 6 : 7),
  ],
  [
    "the gateway has neither the master key nor a database",
    (all) => !/MASTER_KEY|MONGODB_URL/.test(getEnv(all, "gateway")),
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
    ["a job migrates and pods wait for it", (all) => countJobs(all) === 1 && getEnv(all, "auth").includes('"wait"')],
    [
      "helm test signs in as root, and may list and delete pods only",
      (all) =>
        text(find(all, "Job", "-install-test")).includes('"TEST_USERNAME","value":"root"') &&
        JSON.stringify(find(all, "Role", "-install-test")?.rules) ===
          '[{"apiGroups":[""],"resources":["pods"],"verbs":["list","delete"]}]',
    ],
    [
      "everything of helm test is a hook",
      (all) =>
        all
          .filter(({ metadata }) => metadata.name.endsWith("-install-test"))
          .every((manifest) => text(manifest).includes('"helm.sh/hook":"test"')),
    ],
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
    ["without an administrator there is no helm test", (all) => find(all, "Job", "-install-test") === undefined],
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
    [
      "helm test signs in with its Secret",
      (all) => text(find(all, "Job", "-install-test")).includes('"name":"turnpike-admin","key":"username"'),
    ],
    [
      "the reconciler has the files, the Secret and the access token",
      (all) =>
        ["turnpike-site", "/etc/turnpike/secrets/providers", '"name":"turnpike-token","key":"token"'].every((part) =>
          text(find(all, "Deployment", "-declared")).includes(part),
        ),
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
    ["certificates are mounted and used", (all) => getEnv(all, "relay").includes("GRPC_TLS_DIR")],
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
  encrypted: [
    [
      "every pod trusts the CA of the stores: services, migrations and backup",
      (all) => getPods(all).length === 8 && getPods(all).every(trustsOwnCa),
    ],
    ["the addresses are those given", (all) => text(find(all, "Secret", "-secrets")).includes("rediss+sentinel://")],
    ["streams have three replicas", (all) => getEnv(all, "billing").includes('"NATS_REPLICAS","value":"3"')],
  ],
  "gateway-api": [
    ["a route belongs to the gateway", (all) => count(all, "HTTPRoute") === 1 && count(all, "Ingress") === 0],
    ["metrics are read from pods", (all) => count(all, "PodMonitor") === 1],
    ["each pod sees to its own migrations", (all) => countJobs(all) === 0 && getEnv(all, "auth").includes('"start"')],
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
