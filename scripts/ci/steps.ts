import { join } from "node:path";
import { findOnPath } from "../backing/find-on-path.ts";
import { runProgram } from "../process/run-program.ts";
import type { Step, Tool } from "./step.ts";
import { createClients, createCluster, createEngine } from "./tools.ts";

/** Where reports and the output of each step are. */
export const FOLDER = ".turnpike/reports";

const NODE = ["node_modules/.bin/node"] as const;
const VITEST = [...NODE, "node_modules/vitest/vitest.mjs", "run"] as const;
/** Services whose tests run in containers, too; and stores with TLS, which packaged servers may lack. */
const IN_CONTAINERS = "tests/services/billing tests/services/auth tests/services/shared/redis-stores.test.ts";
const CONTAINERS_FILE = join(FOLDER, "containers.json");

const make = (name: string, limitSeconds: number, more: Partial<Step> = {}): Step => ({
  name,
  limitSeconds,
  command: ["make", name],
  ...more,
});

/** trivy, where the images of `make images` are. */
const imageScanner: Tool = {
  async prepare() {
    const isHere =
      findOnPath("trivy") !== undefined &&
      (await runProgram("docker", ["image", "inspect", "turnpike/relay:dev"], { timeoutMs: 10_000 })).ok;
    return isHere
      ? { state: "ready" }
      : { state: "unavailable", reason: "it needs trivy and the images of make images" };
  },
  stop: () => Promise.resolve(),
};

const SOURCES: readonly Step[] = [
  make("first-start", 600),
  // `make check` without the unit tests, which `make test` runs and counts.
  { name: "check", limitSeconds: 900, command: ["make", "format", "lint", "types", "proto-check"] },
  make("test", 2_400, { reportFile: join(FOLDER, "test.json"), isRepeatable: true }),
];

const createContainers = (engine: Tool): Step => ({
  name: "containers",
  limitSeconds: 600,
  command: [
    "sh",
    "-c",
    // Names of files without blanks.
    `exec "$@" \${TEST_FILES:-${IN_CONTAINERS}}`,
    "containers",
    ...VITEST,
    "--project=services",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${CONTAINERS_FILE}`,
  ],
  reportFile: CONTAINERS_FILE,
  isRepeatable: true,
  tool: engine,
});

const createProducts = (clients: Tool): readonly Step[] => [
  make("docs", 300),
  { name: "licences", limitSeconds: 120, command: ["make", "sbom", "licences"] },
  // Skipped, with the reason, where the registry has no advisories.
  make("audit", 180),
  make("image-scan", 900, { tool: imageScanner }),
  // Images are compared by hand: a build of each service without a cache takes too long here.
  make("reproducible", 600, { env: { REPRODUCIBLE_IMAGES: "false" } }),
  // Short: a change of a route shows within seconds, rare values need longer.
  make("openapi-test", 600, { env: { OPENAPI_SECONDS: "40" }, programs: ["python3-venv"] }),
  make("e2e", 1_800, {
    reportFile: join(FOLDER, "e2e.json"),
    isRepeatable: true,
    programs: ["chromium", "fonts-noto-cjk"],
    // They are installed while browsers wait for pages.
    meanwhile: clients,
  }),
  // Short: each client with one kind of provider, those that need it with all.
  make("clients-test", 600, {
    env: { CLIENTS_KINDS: "1" },
    reportFile: join(FOLDER, "clients.json"),
    isRepeatable: true,
    tool: clients,
  }),
];

const createSystemChecks = (cluster: Tool): readonly Step[] => [
  // Short: published figures come from a longer run of all scenes on an idle machine.
  make("load", 600, {
    env: { LOAD_SECONDS: "1", LOAD_SCENES: "rates,paced-streams,conversions,slow-streams,busy-site" },
    isRepeatable: true,
    programs: ["wrk", "nginx"],
  }),
  // Short: less load than `make fault` alone, for shorter. The images are built while it mostly waits.
  make("fault", 900, {
    env: { FAULT_SECONDS: "6", FAULT_CALLS: "2000", FAULT_RATE: "60", FAULT_LOAD_SECONDS: "20" },
    isRepeatable: true,
    meanwhile: cluster,
  }),
  make("storm", 400, { env: { STORM_CALLS: "400" }, isRepeatable: true }),
];

function createClusterChecks(cluster: Tool, program: string): readonly Step[] {
  const inCluster = (...command: string[]): string[] => [".ci/cluster", program, ...command];
  return [
    // `make cluster-test` alone runs more steps.
    {
      name: "cluster",
      limitSeconds: 600,
      command: inCluster("test"),
      env: { CLUSTER_RPS: "20", CLUSTER_STEPS: "upgrade,helm-test" },
      isRepeatable: true,
      reset: inCluster("reset"),
      tool: cluster,
    },
    // It needs helm, which the tool brings.
    { name: "chart", limitSeconds: 180, command: inCluster("exec", "make", "chart"), tool: cluster },
  ];
}

/**
 * The checks that a change must pass, in their order, and the tools that they need: ENGINE_TOOL and CLUSTER_TOOL name
 * the programs, by default those next to the checkout.
 */
export function createSteps(env: NodeJS.ProcessEnv): {
  readonly steps: readonly Step[];
  readonly tools: readonly Tool[];
} {
  const engine = createEngine({ path: env["ENGINE_TOOL"] ?? "../shared/tools/engine/engine", folder: FOLDER });
  const { program, ...cluster } = createCluster({
    path: env["CLUSTER_TOOL"] ?? "../shared/tools/kube/cluster",
    folder: FOLDER,
  });
  const clients = createClients({ command: [...NODE, "tests/clients/preparation.ts"], folder: FOLDER });
  const steps = [
    ...SOURCES,
    createContainers(engine),
    ...createProducts(clients),
    ...createSystemChecks(cluster),
    ...createClusterChecks(cluster, program),
  ];
  return { steps, tools: [engine, cluster, clients] };
}
