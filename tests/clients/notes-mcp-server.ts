/**
 * An MCP server over standard input and output with one tool, which appends a line to `notes.txt` of the working folder.
 * Messages are JSON-RPC, one a line.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

type Message = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly line?: string } };
};

const TOOL = {
  name: "append_line",
  description: "Appends a line to the notes.",
  inputSchema: { type: "object", properties: { line: { type: "string" } }, required: ["line"] },
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
};

function getResult({ method, params }: Message): object | undefined {
  if (method === "initialize")
    return {
      protocolVersion: params?.protocolVersion ?? "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "notes", version: "1.0.0" },
    };
  if (method === "tools/list") return { tools: [TOOL] };
  if (method === "ping") return {};
  if (method !== "tools/call") return undefined;
  const line = params?.arguments?.line ?? "";
  appendFileSync("notes.txt", `${line}\n`);
  return { content: [{ type: "text", text: `appended ${line}` }] };
}

for await (const text of createInterface({ input: process.stdin })) {
  const message = JSON.parse(text) as Message;
  // Notifications get no response.
  if (message.id === undefined) continue;
  const result = getResult(message);
  const body = result ? { result } : { error: { code: -32601, message: `${message.method ?? ""} is not supported` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...body })}\n`);
}
