import {
  Client,
  type handleUnaryCall,
  Metadata,
  type ServiceDefinition,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { retry } from "../concurrency/retry.ts";
import { AppError } from "../errors/app-error.ts";
import { grpcCalls, grpcCallSeconds } from "../telemetry/grpc-metrics.ts";
import { sendTrace } from "../telemetry/tracing.ts";
import { type Actor, ACTOR_KEY, AUTHORIZATION_KEY, REQUEST_ID_KEY } from "./context.ts";
import { ServiceHealth } from "./service-health.ts";
import { fromServiceError } from "./status.ts";
import { grpcTls } from "./tls.ts";

/** Who calls and how long they wait; the default deadline is 5 seconds. */
export type CallOptions = {
  readonly actor?: Actor | undefined;
  readonly requestId?: string | undefined;
  readonly timeoutMs?: number;
};

/** A service's RPCs as promises; failures are AppErrors (`unavailable` when no response arrives in time). */
export type GrpcClient<Service> = {
  readonly [
    Rpc in keyof Service as Service[Rpc] extends handleUnaryCall<infer _Request, infer _Response> ? Rpc : never
  ]: Service[Rpc] extends handleUnaryCall<infer Request, infer Response>
    ? (request: Request, options?: CallOptions) => Promise<Response>
    : never;
} & { readonly close: () => void };

/** The generated client, of which the description of the service is used. */
type GeneratedClient = { readonly service: ServiceDefinition };

const DEFAULT_TIMEOUT_MS = 5_000;
const REFUSED = { backoff: { firstMs: 10, maxMs: 10 }, attemptsMax: 6 };

/**
 * A server that is about to close the connection has not read this call, so it may be sent again; grpc-js itself does
 * so only once.
 */
const isRefused = (error: unknown): boolean => {
  const { code, details } = error as ServiceError;
  return code === status.UNAVAILABLE && details === "Stream refused by server";
};

/** Calls that change nothing, or may be repeated: they are given up as soon as the service seems to be down. */
const READ =
  /^(?:compare|count|discover|find|get|list|load|preview|quote|rank|rehearse|resolve|scan|search|verify)[A-Z]/;

/** Failures of calls that waited for a connection. */
const unsent = new WeakSet<object>();
const isRepeatable = (error: unknown): boolean => isRefused(error) || unsent.has(error as object);

function toMetadata(secret: string, options: CallOptions): Metadata {
  const metadata = new Metadata();
  metadata.set(AUTHORIZATION_KEY, `Bearer ${secret}`);
  if (options.requestId !== undefined) metadata.set(REQUEST_ID_KEY, options.requestId);
  sendTrace(metadata);
  if (options.actor) metadata.set(ACTOR_KEY, Buffer.from(JSON.stringify(options.actor)));
  return metadata;
}

/** Where a service is, and the secret that it requires. Clients of one service share its `health`. */
export type GrpcTarget = {
  readonly address: string;
  readonly internalSecret: string;
  readonly health?: ServiceHealth;
};

function connect(address: string): Client {
  const tls = grpcTls();
  return new Client(address, tls.client, {
    ...tls.clientOptions,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
    // A machine that vanished sends no response: without pings, calls on its connection would fail until the kernel
    // gives up.
    "grpc.keepalive_time_ms": 10_000,
    "grpc.keepalive_timeout_ms": 3_000,
    "grpc.keepalive_permit_without_calls": 1,
    "grpc.max_receive_message_length": 64 * 1024 * 1024,
    // A replaced connection must not be found again.
    "grpc.use_local_subchannel_pool": 1,
  });
}

/**
 * A client of one service. Every call has a deadline and carries the internal secret; grpc-js itself retries a call that never
 * reached the server. While the service hangs, calls fail at once; those that change something and were sent before have until
 * their deadline. Clients with one `health` share a connection. `Service` is the generated `…Server` type.
 */
export function createGrpcClient<Service>({ service }: GeneratedClient, deps: GrpcTarget): GrpcClient<Service> {
  const health = deps.health ?? new ServiceHealth();
  health.attach(() => connect(deps.address));
  const methods = Object.entries(service).map(([name, { path, requestSerialize, responseDeserialize }]) => {
    const send = (request: unknown, metadata: Metadata, deadline: number): Promise<unknown> =>
      new Promise((resolve, reject) => {
        let stopWatching = (): void => undefined;
        let wasUnsent = false;
        const done = (error: ServiceError | null, response?: unknown): void => {
          stopWatching();
          if (error && wasUnsent) unsent.add(error);
          if (error) reject(error);
          else resolve(response);
        };
        const connection = health.getConnection();
        const sent = connection.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          request,
          metadata,
          { deadline },
          done,
        );
        stopWatching = health.watch((isUnsent) => {
          // A change that was sent may still be made: its caller waits for the outcome.
          if (!isUnsent && !READ.test(name)) return;
          wasUnsent = isUnsent;
          sent.cancel();
        });
      });
    const call = async (request: unknown, options: CallOptions = {}): Promise<unknown> => {
      const startedAt = performance.now();
      const deadline = Date.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
      const attempt = () => send(request, toMetadata(deps.internalSecret, options), deadline);
      let outcome: "ok" | "error" = "error";
      try {
        if (health.isDown()) throw new AppError("unavailable", "the service does not respond");
        const response = await retry(attempt, { ...REFUSED, isRetryable: isRepeatable });
        outcome = "ok";
        return response;
      } catch (error) {
        throw error instanceof AppError ? error : fromServiceError(error as ServiceError);
      } finally {
        grpcCalls.of(path, outcome).value++;
        grpcCallSeconds.of(path).observe((performance.now() - startedAt) / 1000);
      }
    };
    return [name, call] as const;
  });
  return { ...Object.fromEntries(methods), close: () => health.close() } as unknown as GrpcClient<Service>;
}
