import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { RelayError } from "../errors/relay-error.ts";

const DECODERS = { gzip: promisify(gunzip), br: promisify(brotliDecompress), deflate: promisify(inflate) };

const tooLarge = (bytesMax: number): RelayError =>
  new RelayError("body_too_large", `the request body is larger than ${bytesMax} bytes`);

function receive(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const declared = Number(request.headers["content-length"] ?? 0);
    if (declared > bytesMax) return reject(tooLarge(bytesMax));
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        request.pause();
        reject(tooLarge(bytesMax));
      } else chunks.push(chunk);
    });
    request.once("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => {
      if (!request.complete) reject(new RelayError("invalid_request", "the request body was cut off"));
    });
  });
}

/** The request's body as text, decompressed, bounded before and after; RelayError body_too_large or invalid_request. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<string> {
  const raw = await receive(request, bytesMax);
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity") return raw.toString("utf8");
  const decode = DECODERS[encoding as keyof typeof DECODERS] as (typeof DECODERS)["gzip"] | undefined;
  if (!decode) throw new RelayError("invalid_request", `the content encoding ${encoding} is not supported`);
  try {
    return (await decode(raw, { maxOutputLength: bytesMax })).toString("utf8");
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(bytesMax);
    throw new RelayError("invalid_request", `the request body is not valid ${encoding}`, { cause });
  }
}
