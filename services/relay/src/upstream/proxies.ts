import type { Duplex } from "node:stream";
import { Client, type Dispatcher, ProxyAgent } from "undici";

const PROXIES_MAX = 500;
const HTTP_OK = 200;

export type Proxies = ReturnType<typeof createProxies>;

/** The header by which a proxy's address with a user and password signs in; undefined for one without. */
function authorizationOf({ username, password }: URL): string | undefined {
  if (username === "") return undefined;
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(account).toString("base64")}`;
}

/** Dispatchers through http, https and socks5 proxies, one for each address, made when a call first needs it. */
export function createProxies(options: { connectMs: number; keepAliveMs: number }) {
  const agents = new Map<string, ProxyAgent>();
  const make = (address: string): ProxyAgent => {
    const settings: ProxyAgent.Options & { connectTimeout: number } = {
      // Names are always resolved by the proxy, which is all that the h stands for.
      uri: address.replace(/^socks5h:/i, "socks5:"),
      connectTimeout: options.connectMs,
      keepAliveTimeout: options.keepAliveMs,
      pipelining: 1,
    };
    return new ProxyAgent(settings);
  };
  return {
    /** Throws when the address is none of a proxy. */
    of(address: string): Dispatcher {
      const known = agents.get(address);
      if (known) return known;
      const [oldest] = agents.size >= PROXIES_MAX ? agents : [];
      if (oldest) {
        agents.delete(oldest[0]);
        // Lets the calls through it end.
        void oldest[1].close();
      }
      const agent = make(address);
      agents.set(address, agent);
      return agent;
    },
    async close(): Promise<void> {
      const all = [...agents.values()];
      agents.clear();
      await Promise.all(all.map((agent) => agent.destroy()));
    },
  };
}

/**
 * A connection to `host:port` through an http or https proxy, for what is not spoken in HTTP calls. Rejects when the proxy refuses,
 * and for a SOCKS proxy.
 */
export async function openTunnel(address: string, target: string, timeoutMs: number): Promise<Duplex> {
  const proxy = new URL(address);
  if (!/^https?:$/.test(proxy.protocol)) throw new Error("a WebSocket upstream needs an http or https proxy");
  const authorization = authorizationOf(proxy);
  const client = new Client(proxy.origin, { connect: { timeout: timeoutMs }, headersTimeout: timeoutMs });
  const { statusCode, socket } = await client.connect({
    path: target,
    headers: { host: target, ...(authorization === undefined ? {} : { "proxy-authorization": authorization }) },
  });
  // The connection is ours now; the client has no other.
  void client.close();
  if (statusCode === HTTP_OK) return socket;
  socket.destroy();
  throw new Error(`the proxy answered with status ${statusCode}`);
}
