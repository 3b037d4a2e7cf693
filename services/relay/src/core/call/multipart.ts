import { RelayError } from "../errors/relay-error.ts";

type Part = {
  readonly name: string;
  readonly filename: string | undefined;
  /** Offsets of the content in the body. */
  readonly start: number;
  readonly end: number;
};

/** A multipart body as received, and the offsets of its parts. */
export type Form = {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly parts: readonly Part[];
};

/** A file of a form: a view of the body's bytes, not a copy. */
export type FormFile = { readonly filename: string; readonly content: Buffer };
export type FormField = string | FormFile | readonly FormFile[];

const HEAD_BYTES_MAX = 16 * 1024;
const PARTS_MAX = 1_000;

const broken = (problem: string): RelayError =>
  new RelayError("invalid_request", `the request body is not a valid multipart form: ${problem}`);

function boundaryOf(contentType: string): string {
  const match = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (!boundary) throw broken("no boundary is given");
  return boundary;
}

const parameter = (head: string, name: string): string | undefined =>
  new RegExp(`[;\\s]${name}="((?:[^"\\\\]|\\\\.)*)"`, "i").exec(head)?.[1];

/** Finds the parts of a form. Throws invalid_request for an invalid body. */
export function parseForm(bytes: Buffer, contentType: string): Form {
  const delimiter = Buffer.from(`--${boundaryOf(contentType)}`);
  const parts: Part[] = [];
  let at = bytes.indexOf(delimiter);
  if (at < 0) throw broken("the boundary does not occur");
  for (;;) {
    const from = at + delimiter.length;
    if (bytes.toString("latin1", from, from + 2) === "--") return { bytes, contentType, parts };
    const headEnd = bytes.indexOf("\r\n\r\n", from);
    const next = headEnd < 0 ? -1 : bytes.indexOf(Buffer.concat([Buffer.from("\r\n"), delimiter]), headEnd + 2);
    if (next < 0 || headEnd - from > HEAD_BYTES_MAX || parts.length >= PARTS_MAX) throw broken("it does not end");
    const head = bytes.toString("utf8", from, headEnd);
    const name = parameter(head, "name");
    if (name === undefined) throw broken("a part has no name");
    const start = headEnd + 4;
    parts.push({ name, filename: parameter(head, "filename"), start, end: Math.max(start, next) });
    at = next + 2;
  }
}

/** Images may be repeated; some callers repeat the name without brackets. */
const PICTURES = new Set(["image[]", "image"]);

/**
 * The form's fields by name: strings, and files as FormFile. A repeated name yields its first value, except images,
 * which are returned as a list.
 */
export function fieldsOf({ bytes, parts }: Form): Readonly<Record<string, FormField>> {
  const fields: Record<string, FormField> = {};
  for (const { name, filename, start, end } of parts) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const content = bytes.subarray(start, end);
    if (known === undefined) fields[name] = filename === undefined ? content.toString("utf8") : { filename, content };
    else if (filename !== undefined && PICTURES.has(name) && typeof known === "object")
      fields[name] = [known, { filename, content }].flat();
  }
  return fields;
}

function newPart(form: Form, name: string, value: string): Buffer {
  const boundary = boundaryOf(form.contentType);
  return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
}

/** The body with some text fields set; the other parts are views of the received bytes, so no file is copied. */
export function patchForm(form: Form, values: Readonly<Record<string, string>>): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  const left = new Map(Object.entries(values));
  for (const { name, filename, start, end } of form.parts) {
    const value = filename === undefined ? left.get(name) : undefined;
    if (value === undefined) continue;
    left.delete(name);
    pieces.push(form.bytes.subarray(at, start), Buffer.from(value));
    at = end;
  }
  pieces.push(form.bytes.subarray(at));
  return [...[...left].map(([name, value]) => newPart(form, name, value)), ...pieces];
}
