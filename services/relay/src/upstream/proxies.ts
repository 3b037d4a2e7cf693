import { type Dispatcher, ProxyAgent } from "undici";

const PROXIES_MAX = 500;

export type Proxies = ReturnType<typeof createProxies>;

/** Dispatchers through http, https and socks5 proxies, one per proxy URL, created when a call first needs it. */
export function createProxies(options: { connectMs: number; keepAliveMs: number }) {
  const agents = new Map<string, ProxyAgent>();
  const make = (address: string): ProxyAgent => {
    const { username, password } = new URL(address);
    const settings: ProxyAgent.Options & { connectTimeout: number; username: string; password: string } = {
      // Names are always resolved by the proxy, which is the only meaning of the h.
      uri: address.replace(/^socks5h:/i, "socks5:"),
      // Without decoding, SOCKS proxies would receive the percent-encoded form.
      username: decodeURIComponent(username),
      password: decodeURIComponent(password),
      connectTimeout: options.connectMs,
      keepAliveTimeout: options.keepAliveMs,
      pipelining: 1,
    };
    return new ProxyAgent(settings);
  };
  return {
    /** Throws if the URL is not that of a proxy. */
    of(address: string): Dispatcher {
      const known = agents.get(address);
      if (known) return known;
      const [oldest] = agents.size >= PROXIES_MAX ? agents : [];
      if (oldest) {
        agents.delete(oldest[0]);
        // Waits for the calls through it to end.
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
