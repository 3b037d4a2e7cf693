import {
  type ChannelCredentials,
  type Client,
  type ClientOptions,
  type handleUnaryCall,
  Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { grpcCalls, grpcCallSeconds } from "../telemetry/grpc-metrics.ts";
import { sendTrace } from "../telemetry/tracing.ts";
import { type Actor, ACTOR_KEY, AUTHORIZATION_KEY, REQUEST_ID_KEY } from "./context.ts";
import { fromServiceError } from "./status.ts";
import { grpcTls } from "./tls.ts";

/** Who calls and how long they wait; the default deadline is 5 seconds. */
export type CallOptions = {
  readonly actor?: Actor | undefined;
  readonly requestId?: string | undefined;
  readonly timeoutMs?: number;
};

type Stub = Record<
  string,
  (
    request: unknown,
    metadata: Metadata,
    options: { deadline: number },
    done: (error: ServiceError | null, response: unknown) => void,
  ) => void
>;

/** A service's RPCs as promises; failures are AppErrors (`unavailable` when no response arrives in time). */
export type GrpcClient<Service> = {
  readonly [
    Rpc in keyof Service as Service[Rpc] extends handleUnaryCall<infer _Request, infer _Response> ? Rpc : never
  ]: Service[Rpc] extends handleUnaryCall<infer Request, infer Response>
    ? (request: Request, options?: CallOptions) => Promise<Response>
    : never;
} & { readonly close: () => void };

type ClientConstructor = {
  new (address: string, credentials: ChannelCredentials, options?: Partial<ClientOptions>): Client;
  readonly service: Record<string, { readonly path: string }>;
};

const DEFAULT_TIMEOUT_MS = 5_000;
const REFUSED_PAUSE_MS = 10;
const REFUSED_ATTEMPTS_MAX = 5;

/** A server that is about to end the connection did not look at this call, so it may be sent again; grpc-js does so only once. */
const isRefused = ({ code, details }: ServiceError): boolean =>
  code === status.UNAVAILABLE && details === "Stream refused by server";

function metadataOf(secret: string, options: CallOptions): Metadata {
  const metadata = new Metadata();
  metadata.set(AUTHORIZATION_KEY, `Bearer ${secret}`);
  if (options.requestId !== undefined) metadata.set(REQUEST_ID_KEY, options.requestId);
  sendTrace(metadata);
  if (options.actor) metadata.set(ACTOR_KEY, Buffer.from(JSON.stringify(options.actor)));
  return metadata;
}

/**
 * A client of one service. Every call has a deadline and carries the internal secret; grpc-js itself retries a call that never
 * reached the server. `Service` is the generated `…Server` type.
 */
export function createGrpcClient<Service>(
  Constructor: ClientConstructor,
  deps: { address: string; internalSecret: string },
): GrpcClient<Service> {
  const tls = grpcTls();
  const client = new Constructor(deps.address, tls.client, {
    ...tls.clientOptions,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
    // A machine that vanished sends no response: without pings its connection would fail calls until the kernel gives
    // up.
    "grpc.keepalive_time_ms": 10_000,
    "grpc.keepalive_timeout_ms": 3_000,
    "grpc.keepalive_permit_without_calls": 1,
    "grpc.max_receive_message_length": 64 * 1024 * 1024,
  });
  const stub = client as unknown as Stub;
  const methods = Object.entries(Constructor.service).map(([name, { path }]) => {
    const call = (request: unknown, options: CallOptions = {}): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        const deadline = Date.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
        const attempt = (attemptsLeft: number): void =>
          stub[name]?.(request, metadataOf(deps.internalSecret, options), { deadline }, (error, response) => {
            if (error && attemptsLeft > 0 && isRefused(error))
              return void setTimeout(attempt, REFUSED_PAUSE_MS, attemptsLeft - 1);
            grpcCalls.of(path, error ? "error" : "ok").value++;
            grpcCallSeconds.of(path).observe((performance.now() - startedAt) / 1000);
            if (error) reject(fromServiceError(error));
            else resolve(response);
          });
        attempt(REFUSED_ATTEMPTS_MAX);
      });
    return [name, call] as const;
  });
  return { ...Object.fromEntries(methods), close: () => client.close() } as unknown as GrpcClient<Service>;
}
