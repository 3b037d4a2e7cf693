import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

type Target = {
  readonly host: string;
  readonly port: number;
  /** Selects by its first bytes which connections are cut; all of them if omitted. */
  readonly isCut?: (firstBytes: Buffer) => boolean;
};

/**
 * Starts a TCP proxy on 127.0.0.1 that can stop forwarding: connections stay open and new ones are accepted, and nothing
 * arrives, as in a network partition. What was sent meanwhile arrives when it forwards again.
 */
export async function startTcpProxy({ host, port, isCut = () => true }: Target) {
  const sockets = new Set<Socket>();
  /** The connections that a cut concerns, both sides. */
  const selected = new Set<Socket>();
  let isBroken = false;
  const apply = (socket: Socket): void => void (isBroken && selected.has(socket) ? socket.pause() : socket.resume());
  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.setNoDelay(true).on("error", () => to.destroy());
    from.on("data", (data) => {
      if (to.write(data)) return;
      from.pause();
      to.once("drain", () => apply(from));
    });
    from.once("close", () => {
      sockets.delete(from);
      selected.delete(from);
      to.destroy();
    });
  };
  const server = createServer((near) => {
    const far = connect(port, host);
    near.once("data", (firstBytes) => {
      if (!isCut(firstBytes)) return;
      for (const socket of [near, far]) {
        selected.add(socket);
        apply(socket);
      }
    });
    forward(near, far);
    forward(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    setCut(cut: boolean): void {
      isBroken = cut;
      for (const socket of sockets) apply(socket);
    },
    stop(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
