import type { ServerResponse } from "node:http";

/** Keep-alive comments are not part of the response. */
const HTTP_OK = 200;
const COMMENT = ": PING\n\n";

export type RecordedResponse = { readonly contentType: string; readonly body: Buffer };

/** Extracts the content type from the arguments of `writeHead`. */
function typeIn(args: readonly unknown[]): string | undefined {
  const headers: unknown = args.at(-1);
  return typeof headers === "object" && headers !== null && "content-type" in headers
    ? String(headers["content-type"])
    : undefined;
}

/** Copies the bytes sent to the caller; returns undefined if they exceed `bytesMax` or the status is not a success. */
export function recordResponse(response: ServerResponse, bytesMax: number): () => RecordedResponse | undefined {
  let contentType: string | undefined;
  let parts: Buffer[] | undefined = [];
  let bytes = 0;
  const record = (chunk: unknown, encoding: unknown): void => {
    if (!parts || chunk === COMMENT || (typeof chunk !== "string" && !Buffer.isBuffer(chunk))) return;
    const part = typeof chunk === "string" ? Buffer.from(chunk, encoding as BufferEncoding | undefined) : chunk;
    bytes += part.length;
    if (bytes > bytesMax) parts = undefined;
    else parts.push(part);
  };
  const { writeHead, write, end } = response;
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    contentType = typeIn(args);
    return writeHead.apply(response, args);
  }) as typeof writeHead;
  response.write = ((...args: Parameters<typeof write>) => {
    record(args[0], typeof args[1] === "string" ? args[1] : undefined);
    return write.apply(response, args);
  }) as typeof write;
  response.end = ((...args: Parameters<typeof end>) => {
    record(args[0], typeof args[1] === "string" ? args[1] : undefined);
    return end.apply(response, args);
  }) as typeof end;
  return () =>
    parts && contentType !== undefined && response.statusCode === HTTP_OK
      ? { contentType, body: Buffer.concat(parts) }
      : undefined;
}
