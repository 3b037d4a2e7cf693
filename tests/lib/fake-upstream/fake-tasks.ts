import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readJson } from "../read-json.ts";

type Json = Record<string, unknown>;

/** One request received by the task upstream. */
export type TaskCallSeen = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Json;
};
type Scripted = { readonly status?: number; readonly body: unknown };

/** A small PNG. */
export const IMAGE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR4nGNQSDgARAwHGhSACAAj7gVBAYy+WwAAAABJRU5ErkJggg==",
  "base64",
);

export type FakeTasks = Awaited<ReturnType<typeof startFakeTasks>>;

function send(response: ServerResponse, { status = 200, body }: Scripted): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const isSubmit = (path: string): boolean => /\/submit\/|\/insight-face\//.test(path);

/**
 * A Midjourney proxy and a Suno proxy in one: accepts submissions, sends scripted responses, and reports the task
 * states set by the test.
 */
export async function startFakeTasks() {
  const seen: TaskCallSeen[] = [];
  const tasks = new Map<string, Json>();
  const scripts: Scripted[] = [];
  let isDown = false;
  let numbers = 1_000_000_000_000_000 + Math.floor(Math.random() * 1e12);

  const accept = (path: string): Scripted => {
    const id = String(++numbers);
    const isMusic = path.startsWith("/suno/");
    tasks.set(id, isMusic ? { task_id: id, status: "SUBMITTED" } : { id, status: "SUBMITTED", progress: "0%" });
    const response = isMusic
      ? { code: "success", message: "", data: id }
      : { code: 1, description: "提交成功", properties: {}, result: id };
    return { body: response };
  };
  const poll = (path: string, ids: readonly string[]): Scripted => {
    const found = ids.flatMap((id) => tasks.get(id) ?? []);
    return { body: path.startsWith("/suno/") ? { code: "success", message: "", data: found } : found };
  };
  const image = (response: ServerResponse): void => {
    response.writeHead(200, { "content-type": "image/png", "content-length": IMAGE.length }).end(IMAGE);
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    if (path.startsWith("/img/")) return image(response);
    const movedTo = new URL(path, "http://upstream").searchParams.get("moved-to");
    if (movedTo !== null) return void response.writeHead(302, { location: movedTo }).end();
    const body = await readJson(request);
    seen.push({ method: request.method ?? "", path, headers: request.headers, body });
    if (isDown) return send(response, { status: 503, body: { message: "unavailable" } });
    if (isSubmit(path)) return send(response, scripts.shift() ?? accept(path));
    if (path.endsWith("/image-seed")) return send(response, { body: { code: 1, description: "ok", result: "3541" } });
    const ids = Array.isArray(body["ids"]) ? body["ids"].map(String) : [];
    send(response, poll(path, ids));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    seen,
    /** Submissions only, the newest last. */
    submissions: (): TaskCallSeen[] => seen.filter(({ path }) => isSubmit(path)),
    polls: (): TaskCallSeen[] => seen.filter(({ path }) => /list-by-condition|\/suno\/fetch/.test(path)),
    /** The response to the next submission. */
    respondNext: (body: unknown, status = 200): void => void scripts.push({ status, body }),
    /** The state reported for a task from now on. */
    setTask: (id: string, about: Json): void => void tasks.set(id, { ...tasks.get(id), ...about }),
    setAway: (unavailable: boolean): void => void (isDown = unavailable),
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
