import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { passingFolder } from "../../scripts/process/passing-folder.ts";
import { ROOT_USER } from "../lib/world.ts";
import { settings } from "./cluster-settings.ts";

const CHART = resolve(import.meta.dirname, "../../deploy/helm/turnpike");
const RELEASE = "turnpike";
const NAMESPACE = "turnpike-test";
const STEP_MS = 600_000;
const POLL_MS = 2_000;
const EVENTS_SHOWN = 25;
const WARNINGS_SHOWN = 6;
const LINE_CHARACTERS = 600;
/** Resource requests that a small cluster can satisfy. */
const RESOURCES = { requests: { cpu: "20m", memory: "100Mi" } };

export const SERVICES = ["relay", "gateway", "auth", "billing", "channel", "messaging"] as const;
export type Service = (typeof SERVICES)[number];
export type Urls = { readonly mongodbUrl: string; readonly redisUrl: string; readonly natsUrl: string };

/** Runs a program to its end and returns its output; throws with its error output on failure. */
export const run = async (program: string, args: readonly string[], env = process.env): Promise<string> =>
  (await promisify(execFile)(program, args, { env, timeout: STEP_MS, maxBuffer: 32 * 1024 ** 2 })).stdout;
const kubectl = (...args: string[]): Promise<string> => run("kubectl", ["-n", NAMESPACE, ...args]);

type Pod = {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
};

/** Pods of a service that are not terminating. */
async function getPods(service: Service): Promise<Pod[]> {
  const selector = `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component=${service}`;
  const { items } = JSON.parse(await kubectl("get", "pods", "-l", selector, "-o", "json")) as { items: Pod[] };
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") === true;

async function untilPodsReady(service: Service, count: number, isRight: (pods: Pod[]) => boolean = () => true) {
  const untilMs = Date.now() + STEP_MS;
  for (;;) {
    const pods = await getPods(service);
    if (pods.length === count && pods.every(isReady) && isRight(pods)) return;
    if (Date.now() > untilMs) throw new Error(`${service} does not reach ${count} ready pods`);
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/** The newest warnings and errors of a pod. */
async function readWarnings(pod: string): Promise<string> {
  const lines = (await kubectl("logs", pod, "--tail=1000")).split("\n");
  const warnings = lines.filter((line) => /"level":[4-6]0/.test(line));
  return warnings
    .map((line) => `  ${line.slice(0, LINE_CHARACTERS)}`)
    .slice(-WARNINGS_SHOWN)
    .join("\n");
}

function writeValues(urls: Urls): string {
  const values = {
    image: { prefix: settings.imagePrefix, tag: settings.imageTag },
    backing: urls,
    root: ROOT_USER,
    privateAddressAllowlist: `${settings.host}/32`,
    serviceDefaults: { resources: RESOURCES },
    services: {
      billing: { resources: RESOURCES },
      gateway: { graceSeconds: 60 },
      relay: { graceSeconds: 60, spoolSize: "64Mi", resources: RESOURCES },
    },
  };
  // JSON is valid YAML.
  const file = join(passingFolder("values"), "values.json");
  writeFileSync(file, JSON.stringify(values));
  return file;
}

/** The chart's release on the cluster. */
export function createRelease(urls: Urls) {
  const file = writeValues(urls);
  const more = settings.moreValues === undefined ? [] : ["-f", settings.moreValues];
  const helm = (...args: string[]): Promise<string> =>
    run("helm", [
      "upgrade",
      "--install",
      RELEASE,
      CHART,
      "-n",
      NAMESPACE,
      "--wait",
      "--wait-for-jobs",
      "--timeout",
      "10m",
      "-f",
      file,
      ...more,
      ...args,
    ]);
  return {
    async install(): Promise<void> {
      // The namespace enforces PodSecurity "restricted".
      const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
      const namespace = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE, labels } });
      await run("sh", ["-c", 'printf %s "$1" | kubectl apply -f -', "sh", namespace]);
      await helm();
    },
    /** Upgrades to other images if given; else changes another value that affects every pod. */
    upgrade: (): Promise<string> =>
      helm("--set", settings.upgradeTag === undefined ? "logLevel=warn" : `image.tag=${settings.upgradeTag}`),
    findAddress: (service: Service): Promise<string> =>
      kubectl("get", "service", `${RELEASE}-${service}`, "-o", "jsonpath={.spec.clusterIP}"),
    async roll(service: Service): Promise<void> {
      await kubectl("rollout", "restart", `deployment/${RELEASE}-${service}`);
      await kubectl("rollout", "status", `deployment/${RELEASE}-${service}`, "--timeout=580s");
    },
    /** Deletes one pod and waits for its replacement, not for its end: the old pod keeps serving for a while. */
    async deletePod(service: Service): Promise<void> {
      const pods = await getPods(service);
      const name = pods[0]?.metadata.name ?? "";
      await kubectl("delete", "pod", name, "--wait=false");
      await untilPodsReady(service, pods.length, (now) => now.every(({ metadata }) => metadata.name !== name));
    },
    async scale(service: Service, count: number): Promise<void> {
      await kubectl("scale", `deployment/${RELEASE}-${service}`, `--replicas=${count}`);
      await untilPodsReady(service, count);
    },
    /** Runs `helm test` and returns its report; throws with the report if it fails. */
    async test(): Promise<string> {
      const readReport = () => kubectl("logs", `job/${RELEASE}-install-test`);
      try {
        await run("helm", ["test", RELEASE, "-n", NAMESPACE, "--timeout", "9m"]);
      } catch (error) {
        throw new Error(`helm test failed:\n${await readReport().catch(String)}`, { cause: error });
      }
      return readReport();
    },
    /** What an operator would look at first: pods, events, and the warnings of the services. */
    async show(): Promise<string> {
      const pods = await kubectl("get", "pods", "-o", "wide");
      const events = await kubectl("get", "events", "--field-selector=type=Warning", "--sort-by=.lastTimestamp");
      const names = pods.split("\n").flatMap((line) => /^turnpike-\S+/.exec(line)?.[0] ?? []);
      const logs = await Promise.all(names.map(async (name) => `${name}:\n${await readWarnings(name).catch(String)}`));
      return [pods, events.split("\n").slice(-EVENTS_SHOWN).join("\n"), ...logs].join("\n");
    },
    remove: (): Promise<string> => run("kubectl", ["delete", "namespace", NAMESPACE, "--wait=true"]),
  };
}
