import type { WebSocket } from "ws";

type Pump = {
  readonly from: WebSocket;
  readonly to: WebSocket;
  /** Inspects each frame before it is passed on; false drops it, a text takes its place. */
  readonly see: (data: Buffer, isBinary: boolean) => boolean | string;
  /**
   * True while the sender must wait for another reason; the code that sets it calls the function returned by `pump`
   * afterwards.
   */
  readonly isHeld?: () => boolean;
};

const WAITING_BYTES_HIGH = 1024 * 1024;
const WAITING_BYTES_LOW = 256 * 1024;

/**
 * Passes frames on as they arrive. A slow receiver pauses the sender until it has caught up (backpressure). Returns a
 * function that resumes a held sender.
 */
export function pump({ from, to, see, isHeld = () => false }: Pump): () => void {
  const resume = (): void => {
    if (from.isPaused && to.bufferedAmount <= WAITING_BYTES_LOW && !isHeld()) from.resume();
  };
  from.on("message", (data: Buffer, isBinary: boolean) => {
    const seen = see(data, isBinary);
    if (seen === false || to.readyState !== to.OPEN) return;
    to.send(seen === true ? data : seen, { binary: isBinary }, resume);
    if (to.bufferedAmount > WAITING_BYTES_HIGH) from.pause();
  });
  return resume;
}
