import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import {
  AuthServiceClient,
  type AuthServiceServer,
  AuthServiceService,
  RunSetupResponse,
} from "@turnpike/proto/auth/v1/auth_service";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createLogger } from "../log/log.ts";
import { createGrpcClient, type GrpcClient } from "./client.ts";
import { createGrpcServer, type GrpcServer, type Handlers } from "./server.ts";
import { ServiceHealth } from "./service-health.ts";

const internalSecret = "a-secret-of-the-house";
const unavailable = expect.objectContaining({ code: "unavailable" }) as Error;

/** A connection to a server that can hang: it keeps its connections, and passes on nothing. */
async function startHangingProxy(targetPort: number) {
  const sockets = new Set<Socket>();
  let isHanging = false;
  const apply = (socket: Socket): void => void (isHanging ? socket.pause() : socket.resume());
  const proxy = createServer((near) => {
    const far = connect(targetPort, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => to.write(data)).on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      apply(from);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    hang(hangs: boolean): void {
      isHanging = hangs;
      for (const socket of sockets) apply(socket);
    },
    /** Only the connections of now hang: new ones reach the server. */
    hangConnections(): void {
      for (const socket of sockets) socket.pause();
    },
    stop(): void {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

let server: GrpcServer;
let proxy: Awaited<ReturnType<typeof startHangingProxy>>;
let clients: GrpcClient<AuthServiceServer>[];
let slowMs = 0;
beforeEach(async () => {
  slowMs = 0;
  const grpc = createGrpcServer({ log: createLogger("test", "silent"), internalSecret });
  const getSetup = async () => {
    await new Promise((resolve) => setTimeout(resolve, slowMs));
    return { done: true } as never;
  };
  const runSetup = async () => {
    await getSetup();
    return RunSetupResponse.fromPartial({});
  };
  grpc.add(AuthServiceService, { getSetup, runSetup } as unknown as Handlers<AuthServiceServer>);
  server = await grpc.listen("127.0.0.1", 0);
  proxy = await startHangingProxy(server.port);
  const target = { address: `127.0.0.1:${proxy.port}`, internalSecret, health: new ServiceHealth() };
  clients = [0, 1].map(() => createGrpcClient<AuthServiceServer>(AuthServiceClient, target));
});
afterEach(async () => {
  for (const client of clients) client.close();
  proxy.stop();
  await server.stop();
});

/** Rejects if the call has no outcome within this time: far less than its deadline of 5 seconds. */
const within = (ms: number, call: Promise<unknown>): Promise<unknown> =>
  Promise.race([call, new Promise((_, reject) => setTimeout(() => reject(new Error(`nothing in ${ms} ms`)), ms))]);

it("fails calls to a service that hangs, the first in bounded time and all others at once, until it responds again", async () => {
  const [first, second] = clients as [GrpcClient<AuthServiceServer>, GrpcClient<AuthServiceServer>];
  await Promise.all([first.getSetup({}), second.getSetup({})]);
  proxy.hang(true);
  await expect(within(4_000, Promise.all([first.getSetup({}), second.getSetup({})]))).rejects.toEqual(unavailable);
  // Another client of the same service fails without a call.
  await expect(within(100, second.getSetup({}))).rejects.toEqual(unavailable);
  proxy.hang(false);
  await expect.poll(() => second.getSetup({}).catch(() => undefined), { timeout: 5_000 }).toMatchObject({ done: true });
}, 20_000);

it("replaces a connection that hangs, as one to a machine that vanished, by one to the service", async () => {
  const [first] = clients as [GrpcClient<AuthServiceServer>];
  await first.getSetup({});
  proxy.hangConnections();
  await expect(within(4_000, first.getSetup({}))).rejects.toEqual(unavailable);
  await expect.poll(() => first.getSetup({}).catch(() => undefined), { timeout: 3_000 }).toMatchObject({ done: true });
}, 20_000);

it("lets a change that was sent before the service hung come to its end", async () => {
  const [first] = clients as [GrpcClient<AuthServiceServer>];
  await first.getSetup({});
  slowMs = 300;
  const change = (first as unknown as { runSetup: (request: object) => Promise<unknown> }).runSetup({});
  await new Promise((resolve) => setTimeout(resolve, 100));
  proxy.hang(true);
  await expect(within(4_000, first.getSetup({}))).rejects.toEqual(unavailable);
  proxy.hang(false);
  await expect(change).resolves.toBeDefined();
}, 20_000);

it("leaves slow calls of a service alone that responds to probes", async () => {
  slowMs = 3_500;
  await expect(clients[0]?.getSetup({})).resolves.toMatchObject({ done: true });
}, 20_000);
