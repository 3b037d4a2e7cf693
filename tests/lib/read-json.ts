import type { IncomingMessage } from "node:http";

type Json = Record<string, unknown>;

/** The JSON object that a scripted server received; empty for a request without a body. */
export async function readJson(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as Json);
}
