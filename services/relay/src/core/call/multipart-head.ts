const NAME = /^[\w.:[\]-]+$/;
/** Fields that change how a parser reads the other fields (RFC 7578, section 4.6). */
const CHARSET_FIELD = "_charset_";
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/;
const CONTROL = /\p{Cc}/u;
const PRINTABLE = /^[ -~]*$/;
/** One parameter after its semicolon: quoted, or without quotes as some clients write names; or nothing after a last semicolon. */
const PARAMETER = /[ \t]*;[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"\\]+)))?/y;

/**
 * The parameters of a header with this value, by their lower-case names, as they are written between quotes. Undefined for another
 * value, for parameters that occur twice, and for anything that is no parameter: readers differ in what they make of it.
 */
export function parseHeaderParameters(header: string, value: string): ReadonlyMap<string, string> | undefined {
  if (header.slice(0, value.length).toLowerCase() !== value) return undefined;
  const rest = header.slice(value.length).trimEnd();
  const parameters = new Map<string, string>();
  for (let at = 0; at < rest.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(rest);
    if (!match) return undefined;
    const [, written, quoted, plain = ""] = match;
    if (written === undefined) continue;
    const name = written.toLowerCase();
    if (parameters.has(name)) return undefined;
    parameters.set(name, quoted ?? plain);
  }
  return parameters;
}

/** The headers of a part by lower-case name; undefined if one is invalid or repeated. */
function readHeaders(head: string): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>();
  for (const line of head === "" ? [] : head.split("\r\n")) {
    const [, written, value = ""] = HEADER.exec(line) ?? [];
    const name = written?.toLowerCase();
    if (name === undefined || headers.has(name) || CONTROL.test(value.replaceAll("\t", ""))) return undefined;
    headers.set(name, value);
  }
  return headers;
}

/** A file's name without what could end its quotes; only its extension matters to upstreams. */
const cleanFilename = (written: string): string =>
  written.replaceAll(/\\(["\\])/g, "$1").replaceAll(/["\\\p{Cc}]/gu, "_");

function decodeFilename(written: string): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(written) ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** `filename`, or `filename*` (RFC 5987), which some clients write for names outside ASCII. */
function getFilename(disposition: ReadonlyMap<string, string>): string | undefined {
  const plain = disposition.get("filename");
  const extended = disposition.get("filename*");
  if (extended === undefined) return plain === undefined ? undefined : cleanFilename(plain);
  return cleanFilename(decodeFilename(extended) ?? plain ?? "");
}

type PartHead = {
  readonly name: string;
  readonly filename: string | undefined;
  readonly mediaType: string | undefined;
  /** Why the part is refused. */
  readonly problem?: string;
};

const refuse = (problem: string): PartHead => ({ name: "", filename: undefined, mediaType: undefined, problem });

/** What a text field's content type may be: everything that is read as UTF-8. */
const isReadAsUtf8 = (mediaType: string): boolean => {
  const [, charset] = /charset\s*=\s*"?([^\s;"]+)/i.exec(mediaType) ?? [];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
};

/** Why upstreams could read the value of a text field in another way; undefined if they cannot. */
function findValueProblem(name: string, mediaType: string | undefined, isFile: boolean): string | undefined {
  if (mediaType === undefined) return undefined;
  if (!PRINTABLE.test(mediaType)) return `the field ${name} has no valid media type`;
  return isFile || isReadAsUtf8(mediaType) ? undefined : `the field ${name} is not written in UTF-8`;
}

/**
 * The name, file name and media type of a part, from its Content-Disposition and Content-Type alone. `problem` is set for heads that
 * upstreams could read in another way.
 */
export function readPartHead(head: string): PartHead {
  const headers = readHeaders(head);
  if (!headers) return refuse("a part has invalid or repeated headers");
  const disposition = parseHeaderParameters(headers.get("content-disposition") ?? "", "form-data");
  const name = disposition?.get("name");
  if (!disposition || name === undefined) return refuse("a part has no valid Content-Disposition with a name");
  if (!NAME.test(name) || disposition.has("name*") || name === CHARSET_FIELD)
    return refuse("names of fields consist of letters, digits, and the characters _ . : - [ ]");
  const encoding = headers.get("content-transfer-encoding")?.trim().toLowerCase() ?? "binary";
  if (!["binary", "8bit", "7bit"].includes(encoding)) return refuse(`the field ${name} has a transfer encoding`);
  const mediaType = headers.get("content-type");
  const filename = getFilename(disposition);
  const problem = findValueProblem(name, mediaType, filename !== undefined);
  return problem === undefined ? { name, filename, mediaType } : refuse(problem);
}
