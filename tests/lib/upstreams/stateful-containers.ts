import { randomBytes } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readJson } from "../read-json.ts";

type Json = Record<string, unknown>;

export type StatefulContainers = Awaited<ReturnType<typeof startStatefulContainers>>;

const mint = (prefix: string): string => `${prefix}_${randomBytes(12).toString("base64url")}`;

const toFrames = (message: Json, result: Json, container: Json): string => {
  const { content: _content, container: _container, ...head } = message;
  const events: Json[] = [
    { type: "message_start", message: { ...head, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: result },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: 'the "container" is ready' } },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "end_turn", container }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`).join("");
};

/**
 * An account of Anthropic's Messages API whose code execution keeps containers and files: it knows only its own ones, and refuses all
 * others as Anthropic does. Wire format: Anthropic's API reference, "Code execution tool".
 */
export async function startStatefulContainers() {
  const known = new Set<string>();
  const received: Json[] = [];

  const findUnknown = (body: Json): string | undefined => {
    const { container } = body;
    const id = typeof container === "object" && container !== null ? (container as Json)["id"] : container;
    const files = [...JSON.stringify(body["messages"]).matchAll(/"file_id":"([^"]+)"/g)].map(([, file]) => file);
    return [id, ...files].filter((one) => typeof one === "string").find((one) => !known.has(one));
  };

  const respond = (response: ServerResponse, body: Json): void => {
    const unknown = findUnknown(body);
    if (unknown !== undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      const error = { type: "not_found_error", message: `not found: ${unknown}` };
      return void response.end(JSON.stringify({ type: "error", error }));
    }
    const container = { id: mint("container"), expires_at: "2030-01-01T00:00:00Z" };
    const file = mint("file");
    known.add(container.id).add(file);
    const output = { type: "bash_code_execution_output", file_id: file };
    const ran = { type: "bash_code_execution_result", stdout: "", stderr: "", return_code: 0, content: [output] };
    const result = { type: "bash_code_execution_tool_result", tool_use_id: "srvtoolu_1", content: ran };
    const message = {
      id: mint("msg"),
      type: "message",
      role: "assistant",
      model: body["model"],
      content: [result, { type: "text", text: 'the "container" is ready' }],
      stop_reason: "end_turn",
      usage: { input_tokens: 10, output_tokens: 5 },
      container,
    };
    const isStream = body["stream"] === true;
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    response.end(isStream ? toFrames(message, result, container) : JSON.stringify(message));
  };

  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      received.push(body);
      respond(response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    knows: (id: unknown): boolean => known.has(String(id)),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
