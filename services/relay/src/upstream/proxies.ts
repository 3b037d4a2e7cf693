import { Agent, buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from "undici";
import type { Socket } from "node:net";
import { openSocksTunnel } from "./socks-tunnel.ts";

const PROXIES_MAX = 500;

type Controller = Dispatcher.DispatchController & { isFlushed?: () => boolean };

/**
 * undici's client of one connection, which serves one request at a time. It also reports to each request whether what was
 * written has left this process: undici reports a request as sent although the proxy may have stopped reading.
 */
class FlushingClient extends Client {
  #socket: Socket | undefined;

  constructor(origin: string | URL, options: Client.Options) {
    const { connect } = options;
    super(origin, {
      ...options,
      ...(typeof connect === "function" && {
        connect: (target: buildConnector.Options, done: buildConnector.Callback) =>
          connect(target, (...result) => {
            this.#socket = result[1] ?? undefined;
            done(...result);
          }),
      }),
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const isFlushed = (): boolean => (this.#socket?.writableLength ?? 0) === 0;
    const onRequestStart = handler.onRequestStart?.bind(handler);
    const start: Dispatcher.DispatchHandler["onRequestStart"] = (controller: Controller, context) => {
      controller.isFlushed = isFlushed;
      onRequestStart?.(controller, context);
    };
    handler.onRequestStart = start;
    return super.dispatch(options, handler);
  }
}

/** The connections to one origin through a proxy. */
const createPool = (origin: string | URL, options: object): Dispatcher =>
  new Pool(origin, {
    ...options,
    factory: (place, settings) => new FlushingClient(place, settings as Client.Options),
  });

type ProxyOptions = { readonly connectMs: number; readonly keepAliveMs: number };

/** HTTP/1.1 only: on a connection of HTTP/2 it is unknown whether one of several requests has left. */
const getClientOptions = ({ connectMs, keepAliveMs }: ProxyOptions) => ({
  connectTimeout: connectMs,
  keepAliveTimeout: keepAliveMs,
  pipelining: 1,
  allowH2: false,
  factory: createPool,
});

/** Connections through the tunnels of a SOCKS5 proxy. undici's own ones do not report whether a request has left. */
function createSocksAgent(proxy: URL, options: ProxyOptions): Agent {
  const finish = buildConnector({ timeout: options.connectMs, allowH2: false });
  const connect: buildConnector.connector = (target, done) => {
    const { hostname, protocol, port } = target;
    const host = hostname.replace(/^\[|\]$/g, "");
    const place = { host, port: Number(port) || (protocol === "https:" ? 443 : 80) };
    openSocksTunnel(proxy, place, options.connectMs).then(
      (httpSocket) => (protocol === "https:" ? finish({ ...target, httpSocket }, done) : done(null, httpSocket)),
      (error: Error) => done(error, null),
    );
  };
  return new Agent({ ...getClientOptions(options), connect });
}

function createHttpProxyAgent(uri: string, options: ProxyOptions): ProxyAgent {
  return new ProxyAgent({ ...getClientOptions(options), uri });
}

export type Proxies = ReturnType<typeof createProxies>;

/** Dispatchers through http, https and socks5 proxies, one per proxy URL, created when a call first needs it. */
export function createProxies(options: ProxyOptions) {
  const agents = new Map<string, Dispatcher>();
  const make = (address: string): Dispatcher => {
    const proxy = new URL(address);
    return /^socks5?h?:$/.test(proxy.protocol)
      ? createSocksAgent(proxy, options)
      : createHttpProxyAgent(address, options);
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
