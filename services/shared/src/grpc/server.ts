import { timingSafeEqual } from "node:crypto";
import {
  type handleUnaryCall,
  Server,
  type ServerUnaryCall,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import { AppError, toAppError } from "../errors/app-error.ts";
import { newRequestId } from "../telemetry/request-id.ts";
import type { Logger } from "../log/log.ts";
import { createRateLimitedLog } from "../log/rate-limited-log.ts";
import { inSpan } from "../telemetry/tracing.ts";
import { grpcServed } from "../telemetry/grpc-metrics.ts";
import { type Actor, ACTOR_KEY, AUTHORIZATION_KEY, type CallContext, REQUEST_ID_KEY } from "./context.ts";
import { toStatus } from "./status.ts";
import { grpcTls } from "./tls.ts";

type Handler = (request: never, context: CallContext) => Promise<unknown>;
/** One async function per rpc of a service, without gRPC's own types. */
export type Handlers<Service> = {
  readonly [
    Rpc in keyof Service as Service[Rpc] extends handleUnaryCall<infer _Request, infer _Response> ? Rpc : never
  ]: Service[Rpc] extends handleUnaryCall<infer Request, infer Response>
    ? (request: Request, context: CallContext) => Promise<Response>
    : never;
};

function isAuthorised(call: ServerUnaryCall<unknown, unknown>, secret: Buffer): boolean {
  const sent = Buffer.from(String(call.metadata.get(AUTHORIZATION_KEY)[0] ?? ""));
  return sent.length === secret.length && timingSafeEqual(sent, secret);
}

function getContext(call: ServerUnaryCall<unknown, unknown>, log: Logger): CallContext {
  const requestId = String(call.metadata.get(REQUEST_ID_KEY)[0] ?? newRequestId());
  const actorBytes = call.metadata.get(ACTOR_KEY)[0];
  const abort = new AbortController();
  call.on("cancelled", () => abort.abort());
  return {
    requestId,
    actor: actorBytes === undefined ? undefined : (JSON.parse(actorBytes.toString()) as Actor),
    log: log.child({ requestId }),
    signal: abort.signal,
  };
}

type UnaryDeps = {
  readonly log: Logger;
  readonly secret: Buffer;
  readonly warn: ReturnType<typeof createRateLimitedLog>;
};

function unary(path: string, run: Handler, deps: UnaryDeps): handleUnaryCall<unknown, unknown> {
  return (call, reply) => {
    const startedAt = performance.now();
    const count = (outcome: string): void =>
      grpcServed.of(path, outcome).observe((performance.now() - startedAt) / 1000);
    const context = getContext(call, deps.log);
    const response = isAuthorised(call, deps.secret)
      ? inSpan({ name: path, requestId: context.requestId, metadata: call.metadata }, () =>
          run(call.request as never, context),
        )
      : Promise.reject(new AppError("unauthenticated", "the caller does not know the internal secret"));
    response.then(
      (response) => {
        count("ok");
        reply(null, response);
      },
      (error: unknown) => {
        const appError = toAppError(error);
        const facts = { err: error, method: path };
        if (appError.code === "internal") context.log.error(facts, "call failed");
        else if (appError.code === "unavailable")
          deps.warn(path, { ...facts, requestId: context.requestId }, "call cannot be served now");
        count(appError.code);
        reply(toStatus(appError), null);
      },
    );
  };
}

export type GrpcServer = {
  readonly port: number;
  /** Stops accepting calls and waits for active ones. */
  readonly stop: () => Promise<void>;
};

/**
 * A client keeps one connection to a Service's address and would stay with one pod indefinitely: periodic reconnects
 * distribute calls to new pods. Active calls end on the old connection.
 */
const CONNECTION_AGE_MS = 60_000;

/**
 * A gRPC server that admits callers who know the internal secret, turns AppErrors into statuses, logs bugs with the
 * request id, and serves the standard health protocol.
 */
export function createGrpcServer(deps: { log: Logger; internalSecret: string; connectionAgeMs?: number }) {
  const server = new Server({ "grpc.max_connection_age_ms": deps.connectionAgeMs ?? CONNECTION_AGE_MS });
  const health = new HealthImplementation({ "": "SERVING" });
  health.addToServer(server);
  const secret = Buffer.from(`Bearer ${deps.internalSecret}`);
  const warn = createRateLimitedLog(deps.log);
  return {
    add<Service extends UntypedServiceImplementation>(
      definition: ServiceDefinition<Service>,
      handlers: Handlers<Service>,
    ): void {
      const entries = Object.entries(handlers as Record<string, Handler>).map(([name, run]) => {
        const path = (definition as Record<string, { path: string }>)[name]?.path ?? name;
        return [name, unary(path, run, { log: deps.log, secret, warn })] as const;
      });
      server.addService(definition, Object.fromEntries(entries) as Service);
    },
    async listen(host: string, port: number): Promise<GrpcServer> {
      const bound = await new Promise<number>((resolve, reject) => {
        server.bindAsync(`${host}:${port}`, grpcTls().server, (error, actual) =>
          error ? reject(error) : resolve(actual),
        );
      });
      return {
        port: bound,
        stop: () =>
          new Promise((resolve) => {
            health.setStatus("", "NOT_SERVING");
            server.tryShutdown(() => resolve());
          }),
      };
    },
  };
}

export { status as grpcStatus };
