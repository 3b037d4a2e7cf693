import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import { RelayError } from "../../core/errors/relay-error.ts";

const DECODERS = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  zstd: promisify(zstdDecompress),
};

const tooLarge = (bytesMax: number): RelayError =>
  new RelayError("body_too_large", `the request body is larger than ${bytesMax} bytes`);

/** Reads the whole body up to a size limit, and passes it on. */
function receive<Result>(
  request: IncomingMessage,
  bytesMax: number,
  finish: (body: Buffer) => Result,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const declared = Number(request.headers["content-length"] ?? 0);
    if (declared > bytesMax) return reject(tooLarge(bytesMax));
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        request.pause();
        // Ending the call may take a while: the received bytes are released before.
        chunks.length = 0;
        reject(tooLarge(bytesMax));
      } else chunks.push(chunk);
    });
    request.on("end", () => {
      try {
        resolve(finish(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
      } catch (error) {
        reject(error as RelayError);
      }
    });
    request.on("error", reject);
    request.on("close", () => {
      if (!request.complete) reject(new RelayError("invalid_request", "the request body was cut off"));
    });
  });
}

const asBytes = (body: Buffer): Buffer => body;
/** Invalid UTF-8 would be altered and sent as text that the caller did not write. */
function asText(body: Buffer): string {
  if (!isUtf8(body)) throw new RelayError("invalid_request", "the request body is not valid UTF-8");
  return body.toString("utf8");
}

async function decodeBody(request: IncomingMessage, bytesMax: number, encoding: string): Promise<Buffer> {
  const raw = await receive(request, bytesMax, asBytes);
  const decode = DECODERS[encoding as keyof typeof DECODERS] as (typeof DECODERS)["gzip"] | undefined;
  if (!decode) throw new RelayError("invalid_request", `the content encoding ${encoding} is not supported`);
  try {
    return await decode(raw, { maxOutputLength: bytesMax });
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(bytesMax);
    throw new RelayError("invalid_request", `the request body is not valid ${encoding}`, { cause });
  }
}

const getEncoding = (request: IncomingMessage): string =>
  request.headers["content-encoding"]?.toLowerCase() ?? "identity";

/**
 * The request's body as text, decompressed, with a size limit before and after; RelayError body_too_large or
 * invalid_request.
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<string> {
  const encoding = getEncoding(request);
  return encoding === "identity"
    ? receive(request, bytesMax, asText)
    : decodeBody(request, bytesMax, encoding).then(asText);
}

/** A body of known length is copied into one buffer as it arrives: a large file is never in memory twice. */
async function receiveInPlace(request: IncomingMessage, length: number): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(length);
  let at = 0;
  try {
    for await (const chunk of request) at += (chunk as Buffer).copy(body, at);
  } catch (cause) {
    throw new RelayError("invalid_request", "the request body was cut off", { cause });
  }
  if (at < length) throw new RelayError("invalid_request", "the request body was cut off");
  return body;
}

/** The request's body as bytes. */
export function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const encoding = getEncoding(request);
  if (encoding !== "identity") return decodeBody(request, bytesMax, encoding);
  const length = Number(request.headers["content-length"] ?? 0);
  return length > 0 && length <= bytesMax ? receiveInPlace(request, length) : receive(request, bytesMax, asBytes);
}

/** A body nested so deeply that processing overflows the stack is the caller's error, wherever it happened. */
export const toNestingError = (error: unknown): unknown =>
  error instanceof RangeError && error.message.includes("call stack")
    ? new RelayError("invalid_request", "the request body is nested too deeply", { cause: error })
    : error;
