import { ProtocolError } from "./protocol-error.ts";

/** How the end of a body is found (RFC 9112, section 6.3). */
export type Framing = "chunked" | "length" | "close";

export type ResponseHead = {
  readonly status: number;
  /** By lower-case name; several values are an array. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly framing: Framing;
  /** 0 unless the framing is "length". */
  readonly contentLength: number;
  readonly keepsAlive: boolean;
};

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// oxlint-disable-next-line no-control-regex -- the bytes that RFC 9110, section 5.5, forbids in a value
const FORBIDDEN = /[\0-\x08\x0a-\x1f\x7f]/;
const LENGTH = /^\d{1,15}$/;

type Headers = Record<string, string | string[]>;

function addHeader(headers: Headers, line: string): void {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
  // Also refuses folded lines and spaces before the colon.
  if (!NAME.test(name)) throw new ProtocolError("a line of its head is no header");
  const value = line.slice(colon + 1).trim();
  if (FORBIDDEN.test(value)) throw new ProtocolError("a control character in a header");
  const known = headers[name];
  if (known === undefined) headers[name] = value;
  else if (typeof known === "string") headers[name] = [known, value];
  else known.push(value);
}

const joined = (value: string | string[] | undefined): string =>
  (typeof value === "string" ? value : (value?.join(",") ?? "")).toLowerCase();

/** Framing and length; a response that names both a coding and a length could be read in two ways and is refused. */
function parseFraming(status: number, headers: Headers): Pick<ResponseHead, "framing" | "contentLength"> {
  const { "transfer-encoding": coding, "content-length": length } = headers;
  if (coding !== undefined) {
    if (length !== undefined) throw new ProtocolError("it has both a transfer coding and a length");
    if (joined(coding) !== "chunked") throw new ProtocolError("its transfer coding is not supported");
    return { framing: "chunked", contentLength: 0 };
  }
  if (status < 200 || status === 204 || status === 304) return { framing: "length", contentLength: 0 };
  if (length === undefined) return { framing: "close", contentLength: 0 };
  if (typeof length === "string" && LENGTH.test(length)) return { framing: "length", contentLength: Number(length) };
  const lengths = new Set(joined(length).split(/\s*,\s*/));
  const [only = ""] = lengths;
  if (lengths.size > 1 || !LENGTH.test(only)) throw new ProtocolError("its content length is invalid");
  return { framing: "length", contentLength: Number(only) };
}

/** Parses a status line and headers, without the empty line. Throws ProtocolError. */
export function parseHead(text: string): ResponseHead {
  const lines = text.split("\r\n");
  const found = STATUS_LINE.exec(lines[0] ?? "");
  if (!found) throw new ProtocolError("its status line is invalid");
  const status = Number(found[2]);
  const headers: Headers = Object.create(null) as Headers;
  for (let index = 1; index < lines.length; index++) addHeader(headers, lines[index] ?? "");
  const connection = joined(headers["connection"]);
  const keepsAlive = found[1] === "1" ? !connection.includes("close") : connection.includes("keep-alive");
  return { status, headers, keepsAlive, ...parseFraming(status, headers) };
}
