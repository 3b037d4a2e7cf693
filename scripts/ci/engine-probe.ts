/**
 * Starts a container on the engine of DOCKER_HOST and connects to its published port. Ends with 0 when it responds: then a
 * failure of the tests in containers is one of the product.
 */
import { connect } from "node:net";
import { GenericContainer, Wait } from "testcontainers";

const IMAGE = "redis:7-alpine";
const PORT = 6379;
const START_MS = 60_000;
const RESPONSE_MS = 5_000;

function ping(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => socket.write("PING\r\n"));
    socket.setTimeout(RESPONSE_MS, () =>
      socket.destroy(new Error(`its port gave no response within ${RESPONSE_MS} ms`)),
    );
    socket.once("data", (chunk) => {
      socket.destroy();
      resolve(chunk.toString());
    });
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("its port closed the connection")));
  });
}

async function probe(): Promise<void> {
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
    .withStartupTimeout(START_MS)
    .start();
  const response = await ping(container.getHost(), container.getMappedPort(PORT));
  await container.stop();
  if (!response.startsWith("+PONG")) throw new Error(`it responded ${JSON.stringify(response.slice(0, 50))}`);
}

try {
  await probe();
  console.log("a container starts and its port responds");
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
