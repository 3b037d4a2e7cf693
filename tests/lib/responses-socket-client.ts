import { once } from "node:events";
import { WebSocket } from "ws";

export type SocketEvent = { readonly type: string } & Record<string, unknown>;
export type SocketResponse = {
  readonly id: string;
  readonly store: boolean;
  readonly output: Record<string, unknown>[];
};
export type SocketTurn = {
  readonly events: readonly SocketEvent[];
  readonly response: SocketResponse | undefined;
  readonly error: { readonly status: number; readonly code: string; readonly message: string } | undefined;
};
export type ResponsesSocket = Awaited<ReturnType<typeof openResponsesSocket>>;

const LAST = new Set(["response.completed", "response.incomplete", "response.failed", "error"]);
const WAIT_MS = 15_000;

/** Opens a WebSocket at `/v1/responses`, on which each turn waits for its last event. */
export async function openResponsesSocket(url: string, key: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/v1/responses`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  const events: SocketEvent[] = [];
  socket.on("message", (data: Buffer) => events.push(JSON.parse(data.toString("utf8")) as SocketEvent));
  const closed = once(socket, "close").then(([code]) => code as number);
  closed.catch(() => undefined);
  await once(socket, "open");

  /** The events up to the next last one. */
  const readTurn = async (): Promise<SocketTurn> => {
    const untilMs = Date.now() + WAIT_MS;
    for (;;) {
      const at = events.findIndex(({ type }) => LAST.has(type));
      if (at >= 0) {
        const turn = events.splice(0, at + 1);
        const last = turn.at(-1);
        const error = last?.["error"] as { code: string; message: string } | undefined;
        const isError = last?.type === "error";
        return {
          events: turn,
          response: last?.["response"] as SocketResponse | undefined,
          error: isError && error ? { ...error, status: Number(last["status"]) } : undefined,
        };
      }
      if (Date.now() > untilMs) throw new Error(`no last event after ${events.map(({ type }) => type).join(", ")}`);
      await Promise.race([once(socket, "message"), closed, new Promise((resolve) => setTimeout(resolve, 500))]);
    }
  };
  return {
    socket,
    /** The events that no turn has read yet. */
    events,
    /** The close code, once the connection is closed. */
    closed,
    readTurn,
    send: (frame: string): void => socket.send(frame),
    create(body: object): Promise<SocketTurn> {
      socket.send(JSON.stringify({ type: "response.create", ...body }));
      return readTurn();
    },
    close(): Promise<number> {
      socket.close();
      return closed;
    },
  };
}
