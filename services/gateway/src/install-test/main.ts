/**
 * `helm test`: proves an install by calls. Serves an upstream, creates a channel, a user and a token by `/api`, makes calls in
 * four dialects while one pod of each given component is deleted, compares calls, log and balance of that user, prints a
 * report, and removes everything. Other users are not affected: the model's name is used by no other call.
 */
import { randomBytes } from "node:crypto";
import { type CallResult, DIALECTS, makeCalls } from "./calls.ts";
import { deletePod } from "./kubernetes.ts";
import { findDifferences } from "./reconciliation.ts";
import { type InstallTestConfig, readInstallTestConfig } from "./install-test-config.ts";
import { openSite, type TestSite } from "./site.ts";
import { startUpstream } from "./upstream.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Deletes the pods one after another, at equal distances on the way; `check` receives how many calls have ended. */
function createDisturbance(config: InstallTestConfig) {
  const { TEST_DELETED_PODS: components, TEST_CALLS: calls } = config;
  const place = { namespace: config.TEST_NAMESPACE, release: config.TEST_RELEASE };
  const deletions: Promise<void>[] = [];
  const deleteOne = async (component: string): Promise<void> =>
    print(`deleted ${await deletePod({ ...place, component })}`);
  return {
    check(done: number): void {
      const component = components[deletions.length];
      const isDue = done >= ((deletions.length + 1) * calls) / (components.length + 1);
      if (component !== undefined && isDue) deletions.push(deleteOne(component));
    },
    ended: () => Promise.all(deletions),
  };
}

function describeCalls(results: readonly CallResult[]): string[] {
  const byDialect = DIALECTS.map((dialect) => {
    const own = results.filter((result) => result.dialect === dialect);
    return `  ${dialect}: ${own.length} calls, ${own.filter(({ isStream }) => isStream).length} of them streams`;
  });
  const repeated = results.filter(({ repeats }) => repeats > 0).length;
  return [...byDialect, `  ${repeated} calls were repeated with their idempotency key`];
}

async function testInstall(config: InstallTestConfig, site: TestSite): Promise<boolean> {
  const upstreamKey = randomBytes(16).toString("hex");
  const upstream = await startUpstream({ port: config.TEST_UPSTREAM_PORT, key: upstreamKey });
  try {
    await site.createChannel(`http://${config.TEST_UPSTREAM_HOST}:${upstream.port}`, upstreamKey);
    const key = await site.createUser();
    const disturbance = createDisturbance(config);
    const target = { urls: [config.TEST_RELAY_URL, config.TEST_GATEWAY_URL], key, model: site.model };
    const results = await makeCalls(target, config.TEST_CALLS, (done) => disturbance.check(done));
    await disturbance.ended();
    print(`${results.length} calls served, ${upstream.calls()} reached the upstream`);
    for (const line of describeCalls(results)) print(line);
    const reconciliation = await site.readReconciliation(results.length);
    const differences = findDifferences(results.length, reconciliation);
    print(
      `${reconciliation.rows.length} log rows, ${reconciliation.credited - reconciliation.balance} quota units charged`,
    );
    for (const difference of differences) print(`DIFFERENCE: ${difference}`);
    return differences.length === 0;
  } finally {
    upstream.stop();
  }
}

async function main(): Promise<number> {
  const config = readInstallTestConfig();
  const admin = { username: config.TEST_USERNAME, password: config.TEST_PASSWORD };
  const site = await openSite(config.TEST_GATEWAY_URL, admin);
  // The deadline of the job: what the test created goes first.
  process.once("SIGTERM", () => void site.remove().finally(() => process.exit(1)));
  const isGood = await testInstall(config, site).catch((error: unknown) => {
    print(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  });
  const left = await site.remove();
  for (const line of left) print(`LEFT: ${line}`);
  const isPassed = isGood && left.length === 0;
  print(isPassed ? "the install works: every call is served, logged and charged once" : "the install test failed");
  return isPassed ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  print(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
  return 1;
});
