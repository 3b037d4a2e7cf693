import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Starts a SOCKS5 proxy on 127.0.0.1 without authentication; `requested` contains the requested targets as `host:port`. */
export async function startSocksProxy() {
  const requested: string[] = [];
  const open = (socket: Socket, request: Buffer): void => {
    const isName = request[3] === 3;
    const host = isName ? request.subarray(5, 5 + (request[4] ?? 0)).toString() : request.subarray(4, 8).join(".");
    const port = request.readUInt16BE(request.length - 2);
    requested.push(`${host}:${port}`);
    const target = connect(port, host, () => {
      socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
      socket.pipe(target).pipe(socket);
    });
    target.on("error", () => socket.destroy());
    socket.on("close", () => target.destroy());
  };
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => {
      socket.write(Buffer.from([5, 0]));
      socket.once("data", (request: Buffer) => open(socket, request));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, requested, stop: (): void => void server.close() };
}
