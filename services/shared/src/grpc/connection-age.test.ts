import { AuthServiceClient, type AuthServiceServer, AuthServiceService } from "@turnpike/proto/auth/v1/auth_service";
import { expect, it } from "vitest";
import { createLogger } from "../log/log.ts";
import { createGrpcClient } from "./client.ts";
import { createGrpcServer, type Handlers } from "./server.ts";

const internalSecret = "a-secret-of-the-house";
const CALLERS = 8;
const CALLS_EACH = 100;

it("fails no call while connections are closed for their age", async () => {
  const server = createGrpcServer({ log: createLogger("test", "silent"), internalSecret, connectionAgeMs: 20 });
  const getSetup = async () => ({ isSetUp: true }) as never;
  server.add(AuthServiceService, { getSetup } as unknown as Handlers<AuthServiceServer>);
  const { port, stop } = await server.listen("127.0.0.1", 0);
  const client = createGrpcClient<AuthServiceServer>(AuthServiceClient, {
    address: `127.0.0.1:${port}`,
    internalSecret,
  });
  const callInTurn = async (): Promise<void> => {
    for (let call = 0; call < CALLS_EACH; call++) await client.getSetup({});
  };
  await expect(Promise.all(Array.from({ length: CALLERS }, callInTurn))).resolves.toHaveLength(CALLERS);
  client.close();
  await stop();
});
