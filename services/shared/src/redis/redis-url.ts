type Host = { readonly host: string; readonly port: number };
type Login = { readonly username?: string; readonly password?: string };

/** Where Redis is: one server, a primary that sentinels know, or a cluster. */
export type RedisTarget =
  | { readonly kind: "server"; readonly url: string }
  | {
      readonly kind: "sentinel";
      readonly sentinels: readonly Host[];
      /** The name under which the sentinels know the primary. */
      readonly name: string;
      readonly database: number;
      readonly login: Login;
      readonly sentinelLogin: Login;
      readonly isTls: boolean;
    }
  | { readonly kind: "cluster"; readonly nodes: readonly Host[]; readonly login: Login; readonly isTls: boolean };

const FORM =
  /^(?<scheme>rediss?)\+(?<kind>sentinel|cluster):\/\/(?:(?<user>[^@]*)@)?(?<hosts>[^/?@]+)(?:\/(?<path>[^?]*))?(?:\?(?<query>.*))?$/;
const SENTINEL_PORT = 26_379;
const NODE_PORT = 6_379;

function readHosts(text: string, defaultPort: number): Host[] {
  return text.split(",").map((part) => {
    const [, host, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(part.trim()) ?? [];
    if (host === undefined) throw new Error(`REDIS_URL: "${part}" is not host:port`);
    return { host: host.replaceAll(/[[\]]/g, ""), port: Number(port ?? defaultPort) };
  });
}

function readLogin(user: string | undefined, secret: string | undefined): Login {
  return { ...(user ? { username: user } : {}), ...(secret ? { password: secret } : {}) };
}

function readUserInfo(text = ""): Login {
  const [user = "", ...rest] = text.split(":");
  return readLogin(decodeURIComponent(user), decodeURIComponent(rest.join(":")));
}

/**
 * Reads REDIS_URL. `redis://` and `rediss://` (TLS) name one server. Several hosts need one of
 * `redis+sentinel://[user:password@]host:port,host:port/primary[/database][?sentinel_username=…&sentinel_password=…]` and
 * `redis+cluster://[user:password@]host:port,host:port`; with TLS `rediss+…`. Throws if it is neither.
 */
export function readRedisUrl(url: string): RedisTarget {
  const groups = FORM.exec(url)?.groups;
  if (!groups) {
    if (!/^rediss?:\/\//.test(url))
      throw new Error("REDIS_URL must begin with redis:, rediss:, redis+sentinel: or redis+cluster:");
    return { kind: "server", url };
  }
  const { scheme, kind, user, hosts = "", path = "", query } = groups;
  const isTls = scheme === "rediss";
  const login = readUserInfo(user);
  if (kind === "cluster") return { kind, nodes: readHosts(hosts, NODE_PORT), login, isTls };
  const [name = "", database = "0"] = path.split("/");
  if (name === "")
    throw new Error("REDIS_URL: the primary's name is missing, as in redis+sentinel://host:26379/primary");
  const values = new URLSearchParams(query);
  const sentinelLogin = readLogin(
    values.get("sentinel_username") ?? undefined,
    values.get("sentinel_password") ?? undefined,
  );
  const sentinels = readHosts(hosts, SENTINEL_PORT);
  return { kind: "sentinel", sentinels, name, database: Number(database), login, sentinelLogin, isTls };
}
