import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readJson } from "../read-json.ts";
import { createStatefulConversations } from "./stateful-conversations.ts";

type Json = Record<string, unknown>;
type Refusal = { readonly status: number; readonly code: string; readonly param: string };

export type StatefulResponses = Awaited<ReturnType<typeof startStatefulResponses>>;

const mint = (prefix: string): string => `${prefix}_${randomBytes(25).toString("hex")}`;
const asItems = (input: unknown): Json[] => (Array.isArray(input) ? (input as Json[]) : []);

/**
 * An account of OpenAI's Responses API that knows only the ids and encrypted contents it minted itself, and refuses all
 * others as OpenAI does. `turns` counts the calls that it served; `failNext` refuses that many with 500.
 */
export async function startStatefulResponses(name: string) {
  const known = new Set<string>();
  const stored = new Map<string, Json>();
  const received: Json[] = [];
  const state = { turns: 0, failNext: 0 };
  const conversations = createStatefulConversations((prefix) => {
    const id = mint(prefix);
    known.add(id);
    return id;
  });

  const refuseUnknown = ({ previous_response_id: previous, input, conversation }: Json): Refusal | undefined => {
    if (conversation !== undefined && !conversations.has(conversation))
      return { status: 404, code: "conversation_not_found", param: "conversation" };
    if (previous !== undefined && !(typeof previous === "string" && known.has(previous)))
      return { status: 400, code: "previous_response_not_found", param: "previous_response_id" };
    for (const item of asItems(input)) {
      const { id, encrypted_content: content } = item;
      if (typeof id === "string" && !known.has(id)) return { status: 404, code: "item_not_found", param: "input" };
      if (typeof content === "string" && !known.has(content))
        return { status: 400, code: "invalid_encrypted_content", param: "input" };
    }
    return undefined;
  };

  const compactionItem = () => {
    const item = {
      id: mint("cmp"),
      type: "compaction",
      encrypted_content: `gAAAA${randomBytes(30).toString("base64")}`,
    };
    known.add(item.id).add(item.encrypted_content);
    return item;
  };

  const respond = ({ model, input, previous_response_id: previous = null }: Json): Json => {
    const isCompaction = asItems(input).at(-1)?.["type"] === "compaction_trigger";
    const output: Json[] = isCompaction
      ? [compactionItem()]
      : [
          {
            id: mint("rs"),
            type: "reasoning",
            summary: [],
            encrypted_content: `gAAAA${randomBytes(30).toString("base64")}`,
          },
          {
            id: mint("msg"),
            type: "message",
            status: "completed",
            role: "assistant",
            content: [{ type: "output_text", text: `From ${name}`, annotations: [], logprobs: [] }],
          },
        ];
    const id = mint("resp");
    for (const item of output) known.add(String(item["id"])).add(String(item["encrypted_content"]));
    known.add(id);
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    const result = {
      id,
      object: "response",
      status: "completed",
      model,
      previous_response_id: previous,
      output,
      usage,
    };
    stored.set(id, result);
    return result;
  };

  /** The counted input, and a compacted conversation of one encrypted item. */
  const serveOtherPath = (path: string): Json | undefined => {
    if (path === "/v1/responses/input_tokens") return { object: "response.input_tokens", input_tokens: 42 };
    if (path !== "/v1/responses/compact") return undefined;
    const item = compactionItem();
    const input_tokens_details = { cached_tokens: 0 };
    const output_tokens_details = { reasoning_tokens: 0 };
    const counts = { input_tokens: 20, output_tokens: 10, total_tokens: 30 };
    const usage = { ...counts, input_tokens_details, output_tokens_details };
    return { id: mint("resp"), object: "response.compaction", created_at: 1, output: [item], usage };
  };

  /** Stored responses: read, deleted, cancelled, and the items of their input, here always one. */
  const serveStored = (method: string, url: URL): Json | undefined => {
    const [, id = "", action] = /^\/v1\/responses\/([^/]+)(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    const found = stored.get(id);
    if (!found) return undefined;
    if (method === "DELETE") {
      stored.delete(id);
      return { id, object: "response.deleted", deleted: true };
    }
    if (action !== "input_items") return action === "cancel" ? { ...found, status: "cancelled" } : found;
    const [, message] = asItems(found["output"]);
    const after = url.searchParams.get("after");
    const data = message && after !== message["id"] ? [message] : [];
    return {
      object: "list",
      data,
      first_id: data[0]?.["id"] ?? null,
      last_id: data[0]?.["id"] ?? null,
      has_more: false,
    };
  };

  const sendStream = (response: ServerResponse, result: Json): void => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    let number = 0;
    const send = (type: string, data: Json) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...data })}\n\n`);
    send("response.created", { response: { ...result, status: "in_progress", output: [] } });
    asItems(result["output"]).forEach((item, output_index) => {
      send("response.output_item.added", { output_index, item });
      if (item["type"] === "message")
        send("response.output_text.delta", {
          item_id: item["id"],
          output_index,
          content_index: 0,
          delta: `From ${name}`,
        });
      send("response.output_item.done", { output_index, item });
    });
    send("response.completed", { response: result });
    response.end();
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sendJson = (status: number, value: Json) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const url = new URL(request.url ?? "/", "http://account");
    if (url.pathname.startsWith("/v1/conversations")) {
      const reply = conversations.serve(request.method ?? "", url.pathname, await readJson(request));
      return void sendJson(reply.status, reply.body);
    }
    const other = serveOtherPath(url.pathname);
    if (url.pathname !== "/v1/responses" && !other) {
      const found = serveStored(request.method ?? "", url);
      const missing = { message: `${url.pathname} not found`, type: "invalid_request_error", code: null, param: null };
      return void sendJson(found ? 200 : 404, found ?? { error: missing });
    }
    const body = await readJson(request);
    received.push(body);
    if (state.failNext > 0) {
      state.failNext--;
      return void sendJson(500, { error: { message: "down", type: "server_error", code: null, param: null } });
    }
    const refusal = refuseUnknown(body);
    if (refusal) {
      const { status, code, param } = refusal;
      return void sendJson(status, { error: { message: code, type: "invalid_request_error", code, param } });
    }
    if (other) return void sendJson(200, other);
    state.turns++;
    const result = respond(body);
    if (body["stream"] === true) return sendStream(response, result);
    sendJson(200, result);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    state,
    received,
    knows: (id: string): boolean => known.has(id),
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
