import { startTcpProxy } from "../lib/tcp-proxy.ts";

const UPGRADE = /^GET \/v1\/responses HTTP\/1\.1\r\n(?:.+\r\n)*upgrade: websocket\r\n/i;

/** An address of a running system that counts the WebSockets which a client opens for responses. */
export async function startWatchedAddress(address: string) {
  const { hostname, port } = new URL(address);
  let sockets = 0;
  const proxy = await startTcpProxy({
    host: hostname,
    port: Number(port),
    isCut(firstBytes) {
      if (UPGRADE.test(firstBytes.toString("latin1"))) sockets += 1;
      return false;
    },
  });
  return { url: `http://127.0.0.1:${proxy.port}`, countSockets: () => sockets, stop: () => proxy.stop() };
}
