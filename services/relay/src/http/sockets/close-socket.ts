import type { WebSocket } from "ws";

export const NORMAL = 1000;
export const GOING_AWAY = 1001;
export const POLICY = 1008;
export const BROKEN = 1011;

const CLOSE_WAIT_MS = 2_000;

/** Close codes that an endpoint may send; others report how a connection was lost. */
export const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);

/** Closes a WebSocket; a peer that does not acknowledge this is terminated. */
export function closeSocket(socket: WebSocket, code: number, reason = ""): void {
  if (socket.isPaused) socket.resume();
  if (socket.readyState === socket.OPEN) socket.close(isSendable(code) ? code : NORMAL, reason);
  setTimeout(() => socket.terminate(), CLOSE_WAIT_MS).unref();
}
