import type { ServerResponse } from "node:http";
import { createFrameSplitter, type Frame } from "../../upstream/frame-splitter.ts";

const JSON_TYPE = "application/json; charset=UTF-8";
/** Keep-alive comments are dropped: a JSON reader has no use for them. */
const SPACE = "\n";

/**
 * The arguments of `writeHead` with the JSON content type if they have that of events; undefined for other responses.
 */
function toJsonHead(args: readonly unknown[]): unknown[] | undefined {
  const headers: unknown = args.at(-1);
  if (typeof headers !== "object" || headers === null) return undefined;
  const type = (headers as Record<string, unknown>)["content-type"];
  if (typeof type !== "string" || !type.startsWith("text/event-stream")) return undefined;
  return [...args.slice(0, -1), { ...headers, "content-type": JSON_TYPE }];
}

/**
 * Converts a stream of events to one JSON array whose elements are sent as they arrive: this is how Google responds to
 * streamGenerateContent without `alt=sse`
 * (https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent). An error within the stream is the
 * last element. Non-streaming responses stay unchanged.
 */
export function writeAsArray(response: ServerResponse): void {
  const { writeHead, write, end } = response;
  const splitter = createFrameSplitter();
  let isArray = false;
  let hasBegun = false;

  const element = ({ event }: Frame): string => {
    if (!event) return SPACE;
    const lead = hasBegun ? ",\r\n" : "[";
    hasBegun = true;
    return lead + event.data;
  };
  const elements = (chunk: unknown): string => {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    return Buffer.isBuffer(bytes) ? Array.from(splitter.push(bytes), element).join("") : "";
  };
  response.writeHead = ((...args: unknown[]) => {
    const head = toJsonHead(args);
    isArray = head !== undefined;
    return writeHead.apply(response, (head ?? args) as Parameters<typeof writeHead>);
  }) as typeof writeHead;
  response.write = ((...args: Parameters<typeof write>) => {
    if (!isArray) return write.apply(response, args);
    const text = elements(args[0]);
    return text === "" ? !response.writableNeedDrain : write.call(response, text, "utf8");
  }) as typeof write;
  response.end = ((...args: Parameters<typeof end>) => {
    if (!isArray) return end.apply(response, args);
    const rest = elements(args[0]);
    const last = splitter.end();
    return end.call(response, `${rest}${last ? element(last) : ""}${hasBegun ? "]" : "[]"}`, "utf8");
  }) as typeof end;
}
