import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, isScalar, parseDocument } from "yaml";
import { CHART, renderText, valuesFile } from "./helm.ts";

type Path = readonly string[];

/** Values with everything enabled, so that every value has an effect. */
const FULL = {
  builtin: { enabled: true },
  root: { username: "root", password: "password-1" },
  ingress: { enabled: true, className: "a", tlsSecret: "a" },
  gatewayApi: { enabled: true, parentRefs: [{ name: "a" }], hostnames: ["a"] },
  monitoring: { monitor: "service", rules: true, dashboards: true },
  backup: { enabled: true },
  declared: { enabled: true, files: { "a.yaml": "version: 1" } },
  grpcTls: { existingSecret: "a" },
  backingTls: { existingSecret: "a" },
  secret: { masterKey: "k".repeat(32), internalSecret: "s".repeat(32) },
  services: { auth: { autoscaling: { enabled: true } }, channel: { replicas: 2 } },
};
/** Replacement values where "another value of the same kind" would be invalid. */
const OTHERS: Readonly<Record<string, unknown>> = {
  "image.pullPolicy": "Always",
  "image.pullSecrets": [{ name: "x" }],
  "backing.mongodbUrl": "mongodb://x/y",
  "backing.redisUrl": "redis://x",
  "backing.natsUrl": "nats://x",
  "secret.existingSecret": "x",
  logLevel: "debug",
  namespacePrefix: "x",
  "networkPolicy.metricsFrom": [{ podSelector: {} }],
  "networkPolicy.publicFrom": [{ podSelector: {} }],
  "gatewayApi.parentRefs": [{ name: "x" }],
  "gatewayApi.hostnames": ["x"],
  "monitoring.monitor": "pod",
  "monitoring.interval": "7s",
  "backup.schedule": "1 1 1 1 1",
  "installTest.deletedPods": ["auth"],
  "serviceDefaults.serviceType": "NodePort",
  "serviceDefaults.spread": "DoNotSchedule",
  "serviceDefaults.spoolSize": "3Gi",
  "serviceDefaults.tolerations": [{ key: "x" }],
  "serviceDefaults.httpPort": 8080,
  "services.relay.spoolSize": "3Gi",
};
/** With autoscaling the relay has no fixed number of pods, so the replica count is checked with FULL. */
const SCALED = { ...FULL, services: { ...FULL.services, relay: { autoscaling: { enabled: true } } } };
/**
 * With existingSecret the other fields of the Secret are not rendered, so it is checked alone; so are names that override
 * others.
 */
const ALONE: Readonly<Record<string, object>> = {
  "secret.existingSecret": { ...FULL, secret: {} },
  nameOverride: FULL,
  "services.relay.autoscaling": SCALED,
};
const getBase = (path: Path): object => ALONE[path.join(".")] ?? ALONE[path.slice(0, -1).join(".")] ?? FULL;

function otherThan(path: string, value: unknown): unknown {
  if (path in OTHERS) return OTHERS[path];
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return `${value}9`;
  return Array.isArray(value) ? ["x"] : { x: "y" };
}

/** The rendered chart, or its advice when it refuses: a different advice counts as a change too. */
function rendered(files: readonly string[]): string {
  try {
    return renderText(files);
  } catch (error) {
    return String(error);
  }
}

const nest = (path: Path, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
const at = (tree: unknown, path: Path): unknown =>
  path.reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], tree);

/** Leaves of the values; empty service blocks have the fields of serviceDefaults. */
function getLeaves(tree: unknown, path: Path = []): Path[] {
  if (path[0] === "services" && path.length === 2 && Object.keys(tree as object).length === 0) return [];
  const isBranch = typeof tree === "object" && tree !== null && !Array.isArray(tree) && Object.keys(tree).length > 0;
  if (!isBranch || path.at(-1) === "resources" || path.at(-1) === "dashboardLabels") return [path];
  return Object.entries(tree).flatMap(([name, value]) => getLeaves(value, [...path, name]));
}

const parsed = parseDocument(readFileSync(join(CHART, "values.yaml"), "utf8"));

/** Values without a comment of their own, except those on one line with their block. */
function uncommented(node: unknown, path: Path = []): string[] {
  if (!isMap(node) || node.flow === true || path[0] === "services" || path.at(-1) === "resources") return [];
  return node.items.flatMap((item, index) => {
    const name = isScalar(item.key) ? String(item.key.value) : "";
    const key = isScalar(item.key) ? item.key.commentBefore : undefined;
    const comment = key ?? (index === 0 ? node.commentBefore : undefined);
    const isBranch = isMap(item.value) && item.value.flow !== true && item.value.items.length > 0;
    const own =
      isBranch || comment?.includes("--") === true ? [] : [`values.yaml: ${[...path, name].join(".")} has no comment`];
    return [...own, ...uncommented(item.value, [...path, name])];
  });
}

/** Values that have no effect when changed, and values without documentation. */
export function checkValues(): string[] {
  const values: unknown = parsed.toJS();
  const full = valuesFile(FULL);
  // Random keys are regenerated at each rendering.
  const bases = new Map<object, string>([[FULL, renderText([full])]]);
  const dead = getLeaves(values).filter((path) => {
    const name = path.join(".");
    const base = getBase(path);
    const file = valuesFile(base);
    if (!bases.has(base)) bases.set(base, renderText([file]));
    const was = at(base, path) ?? at(values, path);
    return rendered([file, valuesFile(nest(path, otherThan(name, was)))]) === bases.get(base);
  });
  return [...dead.map((path) => `values.yaml: ${path.join(".")} changes nothing`), ...uncommented(parsed.contents)];
}
