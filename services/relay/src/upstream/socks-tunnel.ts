import { connect, isIP, type Socket } from "node:net";

const PORT_DEFAULT = 1080;
const VERSION = 5;
const ACCOUNT_VERSION = 1;
const NO_ACCOUNT = 0;
const WITH_ACCOUNT = 2;
const CONNECT = 1;
const TEXT_BYTES_MAX = 255;

/** The proxy's error codes. */
const REFUSALS: Readonly<Record<number, string>> = {
  1: "general failure",
  2: "not allowed",
  3: "network unreachable",
  4: "host unreachable",
  5: "connection refused",
  6: "time to live expired",
};

/** Reads exactly this many bytes of the socket; rejects if it ends before. */
function take(socket: Socket, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      socket.off("readable", look).off("error", fail).off("close", fail);
      settle();
    };
    const fail = (error?: unknown): void =>
      finish(() => reject(error instanceof Error ? error : new Error("the proxy closed the connection")));
    const look = (): void => {
      const chunk = socket.read(bytes) as Buffer | null;
      if (chunk?.length === bytes) finish(() => resolve(chunk));
    };
    socket.on("readable", look).on("error", fail).on("close", fail);
    look();
  });
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > TEXT_BYTES_MAX)
    throw new Error("the proxy's user name or password is too long for SOCKS5; use at most 255 bytes each");
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

async function signIn(socket: Socket, { username, password }: URL): Promise<void> {
  const methods = username === "" ? [NO_ACCOUNT] : [NO_ACCOUNT, WITH_ACCOUNT];
  socket.write(Buffer.from([VERSION, methods.length, ...methods]));
  const [, method = 255] = await take(socket, 2);
  if (method === NO_ACCOUNT) return;
  if (method !== WITH_ACCOUNT || username === "") throw new Error("the proxy requires another authentication method");
  const account = [decodeURIComponent(username), decodeURIComponent(password)].map(withLength);
  socket.write(Buffer.concat([Buffer.from([ACCOUNT_VERSION]), ...account]));
  const [, status] = await take(socket, 2);
  if (status !== 0) throw new Error("the proxy refused the user or the password");
}

/** IP addresses are sent as bytes, names unchanged: the proxy resolves them. */
function getAddress(host: string): Buffer {
  const [kind, name] = [isIP(host), host];
  if (kind === 4) return Buffer.from([1, ...name.split(".").map(Number)]);
  return Buffer.concat([Buffer.from([3]), withLength(name)]);
}

const BOUND_BYTES: Readonly<Record<number, number>> = { 1: 4, 4: 16 };

async function open(socket: Socket, host: string, port: number): Promise<void> {
  socket.write(
    Buffer.concat([Buffer.from([VERSION, CONNECT, 0]), getAddress(host), Buffer.from([port >> 8, port & 255])]),
  );
  const [, status = 1, , kind = 1] = await take(socket, 4);
  if (status !== 0) throw new Error(`the proxy refused the connection: ${REFUSALS[status] ?? `refusal ${status}`}`);
  const bound = BOUND_BYTES[kind] ?? (await take(socket, 1))[0] ?? 0;
  await take(socket, bound + 2);
}

/**
 * Opens a connection to `host:port` through a SOCKS5 proxy (RFC 1928, with RFC 1929's user and password). Rejects if
 * the proxy is down, refuses, or does not respond in time.
 */
export async function openSocksTunnel(
  proxy: URL,
  target: { readonly host: string; readonly port: number },
  timeoutMs: number,
): Promise<Socket> {
  const socket = connect(proxy.port === "" ? PORT_DEFAULT : Number(proxy.port), proxy.hostname.replace(/^\[|\]$/g, ""));
  const timer = setTimeout(() => socket.destroy(new Error("the proxy did not respond in time")), timeoutMs);
  try {
    await signIn(socket, proxy);
    await open(socket, target.host, target.port);
    return socket;
  } catch (error) {
    socket.on("error", () => undefined).destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
