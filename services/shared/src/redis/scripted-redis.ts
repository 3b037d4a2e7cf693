import { createServer, type Socket } from "node:net";

/** The response of a scripted server to a command; undefined for none. */
type Respond = (command: string, socket: Socket, connection: number) => string | undefined;

const COMMAND = /\*\d+\r\n((?:\$\d+\r\n[^\r]*\r\n)+)/g;

/** A text as Redis sends it (RESP3). */
export const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;

/** A list of texts as Redis sends it. */
export const list = (...texts: readonly string[]): string => `*${texts.length}\r\n${texts.map(bulk).join("")}`;

/** What a subscriber receives. */
export const push = (...texts: readonly string[]): string => `>${texts.length}\r\n${texts.map(bulk).join("")}`;

/**
 * A server of the wire format of Redis for tests: it responds to each command by `respond`, which gets the words of the command and the
 * number of its connection, from 0. With `allowHalfOpen` it does not confirm the end of a connection, like a server that vanished.
 */
export async function startScriptedRedis(respond: Respond, { allowHalfOpen = false } = {}) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen }, (socket) => {
    const connection = connections++;
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.on("data", (data) => {
      for (const [, words = ""] of data.toString().matchAll(COMMAND)) {
        const command = words
          .replaceAll(/\$\d+\r\n/g, "")
          .trim()
          .replaceAll("\r\n", " ");
        const response = respond(command, socket, connection);
        if (response !== undefined) socket.write(response);
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    port,
    countConnections: () => connections,
    stop(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
