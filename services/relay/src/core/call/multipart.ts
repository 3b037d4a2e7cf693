import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { RelayError } from "../errors/relay-error.ts";
import { parseHeaderParameters, readPartHead } from "./multipart-head.ts";

/** A part of a form; the content is a view of the received bytes. */
type Part = {
  readonly name: string;
  readonly filename: string | undefined;
  readonly mediaType: string | undefined;
  readonly content: Buffer;
};

/** A multipart body as parsed. Upstreams receive these parts under a new boundary, never the received bytes as they were framed. */
export type Form = { readonly parts: readonly Part[] };

/** A file of a form: a view of the body's bytes, not a copy. */
export type FormFile = { readonly filename: string; readonly content: Buffer };
export type FormField = string | FormFile | readonly FormFile[];

const HEAD_BYTES_MAX = 16 * 1024;
const PARTS_MAX = 1_000;
const CRLF = Buffer.from("\r\n");
/** The characters of RFC 2046, section 5.1.1. */
const BOUNDARY = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/;

const broken = (problem: string): RelayError =>
  new RelayError("invalid_request", `the request body is not a valid multipart form: ${problem}`);

function getBoundary(contentType: string): string {
  const boundary = parseHeaderParameters(contentType, "multipart/form-data")?.get("boundary");
  if (boundary === undefined) throw broken("its content type is not multipart/form-data with one boundary");
  if (!BOUNDARY.test(boundary)) throw broken("the boundary has characters that no boundary may have");
  return boundary;
}

/** A part from its head and content. Throws invalid_request where upstreams could read another name or another text. */
function readPart(head: string, content: Buffer): Part {
  const { problem, ...part } = readPartHead(head);
  if (problem !== undefined) throw broken(problem);
  if (part.filename === undefined && !isUtf8(content)) throw broken(`the field ${part.name} is not valid UTF-8`);
  return { ...part, content };
}

/** Finds the parts of a form. Throws invalid_request for an invalid body. */
export function parseForm(bytes: Buffer, contentType: string): Form {
  const delimiter = Buffer.from(`--${getBoundary(contentType)}`);
  const nextDelimiter = Buffer.concat([CRLF, delimiter]);
  const parts: Part[] = [];
  let at = bytes.indexOf(delimiter);
  if (at < 0) throw broken("the boundary does not occur");
  for (;;) {
    const from = at + delimiter.length;
    const follows = bytes.toString("latin1", from, from + 2);
    if (follows === "--") return { parts };
    if (follows !== "\r\n") throw broken("a boundary is not alone on its line");
    const headEnd = bytes.indexOf("\r\n\r\n", from);
    const next = headEnd < 0 ? -1 : bytes.indexOf(nextDelimiter, headEnd + 2);
    if (next < 0 || headEnd - from > HEAD_BYTES_MAX || parts.length >= PARTS_MAX) throw broken("it does not end");
    const start = headEnd + 4;
    const head = bytes.toString("utf8", from + 2, Math.max(from + 2, headEnd));
    parts.push(readPart(head, bytes.subarray(start, Math.max(start, next))));
    at = next + 2;
  }
}

/** Images may be repeated; some callers repeat the name without brackets. */
const IMAGES = new Set(["image[]", "image"]);

/**
 * The form's fields by name: strings, and files as FormFile. A repeated name yields its first value, except images,
 * which are returned as a list.
 */
export function getFields({ parts }: Form): Readonly<Record<string, FormField>> {
  const fields: Record<string, FormField> = {};
  for (const { name, filename, content } of parts) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (known === undefined) fields[name] = filename === undefined ? content.toString("utf8") : { filename, content };
    else if (filename !== undefined && IMAGES.has(name) && typeof known === "object")
      fields[name] = [known, { filename, content }].flat();
  }
  return fields;
}

function writePart(boundary: string, { name, filename, mediaType, content }: Part): Buffer[] {
  const file = filename === undefined ? "" : `; filename="${filename}"`;
  const type = filename === undefined || mediaType === undefined ? "" : `\r\nContent-Type: ${mediaType}`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${type}\r\n\r\n`;
  return [Buffer.from(head), content, CRLF];
}

/**
 * Writes the parsed form with some text fields set, under a boundary of our own: upstream reads the parts that were checked and
 * priced, whatever the received body looked like. Contents are views of the received bytes, so no file is copied.
 */
export function writeForm(
  { parts }: Form,
  values: Readonly<Record<string, string>>,
): { readonly contentType: string; readonly body: readonly Buffer[] } {
  const boundary = randomUUID();
  const left = new Map(Object.entries(values));
  const kept = parts.map((part): Part => {
    const value = part.filename === undefined ? left.get(part.name) : undefined;
    if (value === undefined) return part;
    left.delete(part.name);
    return { ...part, content: Buffer.from(value) };
  });
  const added = [...left].map(([name, value]): Part => ({
    name,
    filename: undefined,
    mediaType: undefined,
    content: Buffer.from(value),
  }));
  const pieces = [...added, ...kept].flatMap((part) => writePart(boundary, part));
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: [...pieces, Buffer.from(`--${boundary}--\r\n`)],
  };
}
