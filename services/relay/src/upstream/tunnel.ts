import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { Client } from "undici";
import { openSocksTunnel } from "./socks-tunnel.ts";

const HTTP_OK = 200;

/** The authorization header for a proxy URL with user and password; undefined for one without. */
function getAuthorization({ username, password }: URL): string | undefined {
  if (username === "") return undefined;
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(account).toString("base64")}`;
}

async function openHttpTunnel(proxy: URL, target: string, timeoutMs: number): Promise<Duplex> {
  const authorization = getAuthorization(proxy);
  const client = new Client(proxy.origin, { connect: { timeout: timeoutMs }, headersTimeout: timeoutMs });
  const { statusCode, socket } = await client.connect({
    path: target,
    headers: { host: target, ...(authorization === undefined ? {} : { "proxy-authorization": authorization }) },
  });
  // The connection is taken over here; the HTTP client has no other.
  void client.close();
  if (statusCode === HTTP_OK) return socket;
  socket.destroy();
  throw new Error(`the proxy responded with status ${statusCode}`);
}

/**
 * Opens a connection to a WebSocket URL through an http, https or socks5 proxy, with TLS if the URL requires it.
 * Rejects if the proxy is down or refuses, or if its URL is invalid.
 */
export async function openTunnel(url: string, proxyAddress: string, timeoutMs: number): Promise<Socket> {
  const { hostname, port: given, protocol } = new URL(url);
  const isSecure = protocol === "wss:" || protocol === "https:";
  const port = given === "" ? (isSecure ? 443 : 80) : Number(given);
  const host = hostname.replace(/^\[|\]$/g, "");
  const proxy = new URL(proxyAddress);
  const tunnel = /^socks5h?:$/.test(proxy.protocol)
    ? await openSocksTunnel(proxy, { host, port }, timeoutMs)
    : await openHttpTunnel(proxy, `${hostname}:${port}`, timeoutMs);
  return isSecure
    ? connectTls({ socket: tunnel, ...(isIP(host) ? { host } : { servername: host }) })
    : (tunnel as Socket);
}
