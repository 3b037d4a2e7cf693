import { join } from "node:path";
import { freePorts } from "../process/ports.ts";

export type ServiceName = "auth" | "billing" | "channel" | "messaging" | "relay" | "gateway";

/** One process of the system: a service, or one worker of the relay. */
export type ServiceSpec = {
  /** The service's name; further relay workers are relay-1, relay-2 … */
  readonly name: string;
  readonly service: ServiceName;
  readonly grpcPort: number;
  readonly opsPort: number;
  readonly env: Readonly<Record<string, string>>;
};

export type SystemOptions = {
  readonly root: string;
  readonly host: string;
  readonly port: number;
  readonly relayPort: number;
  readonly relayWorkers: number;
  readonly dataFolder: string;
  readonly logLevel: string;
  readonly masterKey: string;
  readonly internalSecret: string;
  readonly mongodbUrl: string;
  readonly redisUrl: string;
  readonly natsUrl: string;
  readonly namespace: string;
  /** What the services also inherit: their own optional settings, PATH, time zone. */
  readonly env: NodeJS.ProcessEnv;
  /** Settings of single processes, by their names. */
  readonly processEnv?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const CONTROL = ["auth", "billing", "channel", "messaging"] as const;

/** Processes that accept external calls: stopped first. */
export const isEdge = (spec: ServiceSpec): boolean => spec.service === "relay" || spec.service === "gateway";

function ownSettings(service: ServiceName, worker: number, options: SystemOptions): Record<string, string> {
  const { env } = options;
  switch (service) {
    case "auth":
      return { ROOT_USERNAME: env["ROOT_USERNAME"] ?? "", ROOT_PASSWORD: env["ROOT_PASSWORD"] ?? "" };
    case "relay":
      return { HOST: options.host, RELAY_PORT: String(options.relayPort), WORKER_INDEX: String(worker) };
    case "gateway":
      return { HOST: options.host, PORT: String(options.port), WEB_DIST: join(options.root, "web/dist") };
    default:
      return {};
  }
}

/** Lists the processes to run, each with its own free ports and the addresses of all others. */
export async function planServices(options: SystemOptions): Promise<ServiceSpec[]> {
  const relays = Array.from({ length: options.relayWorkers }, (_, worker) => ({ service: "relay" as const, worker }));
  const processes = [
    ...CONTROL.map((service) => ({ service, worker: 0 })),
    ...relays,
    { service: "gateway" as const, worker: 0 },
  ];
  const ports = await freePorts(processes.length * 2);
  const placed = processes.map((process, index) => ({
    ...process,
    grpcPort: ports[index * 2] ?? 0,
    opsPort: ports[index * 2 + 1] ?? 0,
  }));
  const address = (service: ServiceName): string =>
    `127.0.0.1:${placed.find((process) => process.service === service)?.grpcPort ?? 0}`;
  const shared = {
    NODE_ENV: "production",
    LOG_LEVEL: options.logLevel,
    INTERNAL_SECRET: options.internalSecret,
    MASTER_KEY: options.masterKey,
    MONGODB_URL: options.mongodbUrl,
    REDIS_URL: options.redisUrl,
    NATS_URL: options.natsUrl,
    NAMESPACE: options.namespace,
    DATA_DIR: options.dataFolder,
    HOST: "127.0.0.1",
    AUTH_ADDRESS: address("auth"),
    BILLING_ADDRESS: address("billing"),
    CHANNEL_ADDRESS: address("channel"),
    MESSAGING_ADDRESS: address("messaging"),
    RELAY_ADDRESS: address("relay"),
    RELAY_HTTP_ADDRESS: `127.0.0.1:${options.relayPort}`,
    SHUTDOWN_GRACE_SECONDS: options.env["SHUTDOWN_GRACE_SECONDS"] ?? "5",
  };
  return placed.map(({ service, worker, grpcPort, opsPort }) => {
    const name = worker === 0 ? service : `${service}-${worker}`;
    const env = {
      ...shared,
      ...ownSettings(service, worker, options),
      GRPC_PORT: String(grpcPort),
      OPS_PORT: String(opsPort),
      ...options.processEnv?.[name],
    };
    return { name, service, grpcPort, opsPort, env };
  });
}
