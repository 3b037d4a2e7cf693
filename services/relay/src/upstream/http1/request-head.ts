import { errors } from "undici";

/** A request as it is written to a connection. */
export type WireRequest = {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks are sent in order. */
  readonly body: string | Buffer | readonly Buffer[] | null;
};

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Tab, the visible characters of latin1 and space.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const PATH = /^\/[\x21-\xff]*$/;
/** Headers that concern the connection, which the client decides on. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Bytes of a body. */
export function bodyBytes(body: WireRequest["body"]): number {
  if (body === null) return 0;
  if (typeof body === "string") return Buffer.byteLength(body);
  if (Buffer.isBuffer(body)) return body.length;
  return (body as readonly Buffer[]).reduce((sum, chunk) => sum + chunk.length, 0);
}

/**
 * Request line and headers with the empty line, one latin1 character per byte (RFC 9112, section 3), before a body of
 * `length` bytes. Throws undici's InvalidArgumentError where a header could end the head or begin another request.
 */
export function writeHead(host: string, request: WireRequest, length = bodyBytes(request.body)): string {
  const { method, path, headers, body } = request;
  if (!PATH.test(path)) throw new errors.InvalidArgumentError("invalid request path");
  let text = "";
  let hasHost = false;
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (!NAME.test(name)) throw new errors.InvalidArgumentError("invalid header name");
    if (!VALUE.test(value)) throw new errors.InvalidArgumentError(`invalid ${name} header`);
    const lower = name.toLowerCase();
    if (CONNECTION_HEADERS.has(lower)) continue;
    hasHost ||= lower === "host";
    text += `${name}: ${value}\r\n`;
  }
  const framing = body === null && BODILESS.has(method) ? "" : `content-length: ${length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\n${hasHost ? "" : `host: ${host}\r\n`}connection: keep-alive\r\n${text}${framing}\r\n`;
}
