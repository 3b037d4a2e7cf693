import type { WebSocket } from "ws";
import { DetachedResponse } from "../../core/call/detached-response.ts";
import { DisconnectListeners, type Exchange, type OnDisconnect } from "../../core/call/exchange.ts";
import { EventFrames } from "./event-frames.ts";

const WAITING_BYTES_HIGH = 1024 * 1024;
const WAITING_BYTES_LOW = 256 * 1024;

/** The client side of one response, and what was sent of it. */
export type FrameExchange = { readonly exchange: Exchange; readonly frames: EventFrames };

/** Opens exchanges on a socket, one after the other: the events of each are frames. A slow reader pauses upstream. */
export function createFrameExchanges(socket: WebSocket): (requestId: string) => FrameExchange {
  let listeners = new DisconnectListeners();
  socket.once("close", () => listeners.run());
  const isDisconnected = (): boolean => socket.readyState !== socket.OPEN;

  return function openExchange(requestId: string): FrameExchange {
    let isPaused = false;
    listeners = new DisconnectListeners();
    const goOn = (): void => {
      if (!isPaused || socket.bufferedAmount > WAITING_BYTES_LOW) return;
      isPaused = false;
      response.emit("drain");
    };
    const frames = new EventFrames((data) => {
      if (isDisconnected()) return true;
      socket.send(data, goOn);
      isPaused ||= socket.bufferedAmount > WAITING_BYTES_HIGH;
      return !isPaused;
    });
    const response = new DetachedResponse(frames);
    const onDisconnect: OnDisconnect = (run) => {
      if (!isDisconnected())
        return listeners.add(() => {
          if (!response.writableEnded) run();
        });
      run();
      return () => undefined;
    };
    return { exchange: { requestId, response, isDisconnected, onDisconnect }, frames };
  };
}
