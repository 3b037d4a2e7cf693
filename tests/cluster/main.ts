/**
 * Installs the chart on the Kubernetes that KUBECONFIG names, does the main job through the Services, then rolls every service,
 * deletes a pod of each kind and scales the relay under load: no call may fail, each is logged once, and the books agree. At the
 * end the backing services restart; calls may be refused then, but the books agree still.
 *
 * IMAGE_PREFIX (turnpike), IMAGE_TAG (dev): the images, which the cluster has or can pull.
 * CLUSTER_HOST (192.0.2.1): an address of this machine that pods reach. Pods and Services must be reachable from here.
 * CLUSTER_VALUES: one more values file, for what this cluster needs.
 * CLUSTER_RPS (100): calls a second, half of them streams of five seconds.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createConsoleClient } from "../lib/console-client.ts";
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { isSettled } from "../lib/settled.ts";
import { openShop } from "../lib/shop.ts";
import { ROOT_USER, type World } from "../lib/world.ts";
import { startClusterBackings } from "./backings.ts";
import { startLoad } from "./load.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const HOST = process.env["CLUSTER_HOST"] ?? "192.0.2.1";
const PER_SECOND = Number(process.env["CLUSTER_RPS"] ?? 100);
const PREFIX = process.env["IMAGE_PREFIX"] ?? "turnpike";
const TAG = process.env["IMAGE_TAG"] ?? "dev";
const RELEASE = "turnpike";
const NAMESPACE = "turnpike-test";
const SERVICES = ["relay", "gateway", "auth", "billing", "channel", "messaging"] as const;
const STEP_MS = 600_000;
const SETTLED_WITHIN_MS = 180_000;

const say = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const run = async (program: string, args: readonly string[], env = process.env): Promise<string> =>
  (await promisify(execFile)(program, args, { env, timeout: STEP_MS, maxBuffer: 32 * 1024 ** 2 })).stdout;
const kubectl = (...args: string[]): Promise<string> => run("kubectl", ["-n", NAMESPACE, ...args]);
const selector = (service: string): string =>
  `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component=${service}`;
const rolledOut = (service: string): Promise<string> =>
  kubectl("rollout", "status", `deployment/${RELEASE}-${service}`, "--timeout=580s");
const addressOf = async (service: string): Promise<string> =>
  kubectl("get", "service", `${RELEASE}-${service}`, "-o", "jsonpath={.spec.clusterIP}");

async function install(urls: Awaited<ReturnType<typeof startClusterBackings>>["urls"]): Promise<void> {
  const requests = { cpu: "20m", memory: "100Mi" };
  const values = {
    image: { prefix: PREFIX, tag: TAG },
    backing: urls,
    root: ROOT_USER,
    serviceDefaults: { resources: { requests } },
    services: {
      billing: { resources: { requests } },
      relay: { replicas: 1, graceSeconds: 60, spoolSize: "64Mi", resources: { requests } },
    },
  };
  // The namespace refuses whatever PodSecurity "restricted" refuses.
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  const namespace = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE, labels } });
  await run("sh", ["-c", 'printf %s "$1" | kubectl apply -f -', "sh", namespace]);
  // JSON is YAML.
  const file = join(mkdtempSync(join(tmpdir(), "turnpike-values-")), "values.json");
  writeFileSync(file, JSON.stringify(values));
  const more = process.env["CLUSTER_VALUES"] === undefined ? [] : ["-f", process.env["CLUSTER_VALUES"] ?? ""];
  const chart = resolve(ROOT, "deploy/helm/turnpike");
  await run("helm", [
    "upgrade",
    "--install",
    RELEASE,
    chart,
    "-n",
    NAMESPACE,
    "--wait",
    "--timeout",
    "10m",
    "-f",
    file,
    ...more,
  ]);
}

async function ledgerCheck(urls: { mongodbUrl: string; redisUrl: string; natsUrl: string }): Promise<void> {
  const env = { ...process.env, MONGODB_URL: urls.mongodbUrl, REDIS_URL: urls.redisUrl, NATS_URL: urls.natsUrl };
  say(
    (await run(process.execPath, [resolve(ROOT, "services/billing/src/ledger-check.ts")], env))
      .trim()
      .split("\n")
      .at(-1) ?? "",
  );
}

const backings = await startClusterBackings(HOST);
const upstream = await startFakeUpstream({ host: HOST });
upstream.always({ model: "gpt-4o" }, { pieces: 25, frameGapMs: 200 });
let failed = false;
try {
  await install(backings.urls);
  say("installed and ready");
  const consoleUrl = `http://${await addressOf("gateway")}:3000`;
  const relayUrl = `http://${await addressOf("relay")}:3001`;
  const visitor = () => createConsoleClient(consoleUrl);
  const root = async () => {
    const client = visitor();
    await client.login(ROOT_USER.username, ROOT_USER.password);
    return client;
  };
  const shop = await openShop({ visitor, root } as unknown as World, upstream.url);
  const { key } = await shop.token();
  const settle = async (): Promise<void> => {
    const place = { redisUrl: backings.urls.redisUrl, namespace: "" };
    await shop.eventually("the booking of all calls", SETTLED_WITHIN_MS, async () =>
      (await isSettled(place)) ? true : undefined,
    );
  };

  // The main job, straight and through the console's port.
  for (const url of [relayUrl, consoleUrl]) {
    const trial = startLoad({ url, key, perSecond: 2 });
    await new Promise((done) => setTimeout(done, 1_100));
    const { answered, failures } = await trial.stop();
    if (failures.length > 0 || answered.length === 0) throw new Error(`the main job: ${JSON.stringify(failures)}`);
    await shop.eventually(
      "its log row",
      10_000,
      async () => (await shop.logs({ request_id: answered[0] ?? "" })).items[0],
    );
  }
  say("the main job works through both Services");

  const load = startLoad({ url: relayUrl, key, perSecond: PER_SECOND });
  const step = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    const before = load.failures();
    await act();
    say(`${what}: ${load.failures() - before} calls failed`);
  };
  for (const service of SERVICES)
    await step(`rolling ${service}`, async () => {
      await kubectl("rollout", "restart", `deployment/${RELEASE}-${service}`);
      await rolledOut(service);
    });
  await step("relays 1 → 4", async () => {
    await kubectl("scale", `deployment/${RELEASE}-relay`, "--replicas=4");
    await rolledOut("relay");
  });
  for (const service of SERVICES)
    await step(`deleting a pod of ${service}`, async () => {
      const name = await kubectl("get", "pods", "-l", selector(service), "-o", "jsonpath={.items[0].metadata.name}");
      await kubectl("delete", "pod", name, "--wait=true");
      await rolledOut(service);
    });
  await step("relays 4 → 2", async () => {
    await kubectl("scale", `deployment/${RELEASE}-relay`, "--replicas=2");
    await kubectl("wait", "pods", "-l", selector("relay"), "--for=condition=Ready", "--timeout=300s");
  });
  const { answered, failures } = await load.stop();
  say(`${answered.length} calls answered, ${failures.length} failed`);
  for (const failure of failures.slice(0, 20)) say(JSON.stringify(failure));
  await settle();
  const logged = (await shop.logs({ type: 2 })).total;
  say(`${logged} log rows`);
  if (logged < answered.length) throw new Error(`${answered.length - logged} calls are not in the log`);
  await ledgerCheck(backings.urls);
  failed = failures.length > 0;

  const rough = startLoad({ url: relayUrl, key, perSecond: Math.min(20, PER_SECOND) });
  for (const name of ["nats", "mongodb", "redis"] as const) {
    await backings.restart(name);
    await new Promise((done) => setTimeout(done, 5_000));
    say(`restarted ${name}`);
  }
  const during = await rough.stop();
  say(`with backing services restarting: ${during.answered.length} answered, ${during.failures.length} refused`);
  await settle();
  await ledgerCheck(backings.urls);
} catch (error) {
  failed = true;
  console.error(error);
  say(await kubectl("get", "pods", "-o", "wide").catch(String));
} finally {
  if (process.env["CLUSTER_KEEP"] === undefined)
    await run("kubectl", ["delete", "namespace", NAMESPACE, "--wait=true"]).catch(() => "");
  await upstream.stop();
  await backings.stopAll();
}
process.exit(failed ? 1 : 0);
