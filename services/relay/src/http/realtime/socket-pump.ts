import type { WebSocket } from "ws";

type Pump = {
  readonly from: WebSocket;
  readonly to: WebSocket;
  /** Sees each frame before it goes on; false keeps it back. */
  readonly see: (data: Buffer, isBinary: boolean) => boolean;
  /** True while the sender has to wait for another reason; whoever said so calls the answer of `pump` afterwards. */
  readonly isHeld?: () => boolean;
};

const WAITING_BYTES_HIGH = 1024 * 1024;
const WAITING_BYTES_LOW = 256 * 1024;

/**
 * Passes frames on as they come. A receiver that reads slowly stops the sender until it has caught up. Answers how to go on after the
 * sender was held.
 */
export function pump({ from, to, see, isHeld = () => false }: Pump): () => void {
  const resume = (): void => {
    if (from.isPaused && to.bufferedAmount <= WAITING_BYTES_LOW && !isHeld()) from.resume();
  };
  from.on("message", (data: Buffer, isBinary: boolean) => {
    if (!see(data, isBinary) || to.readyState !== to.OPEN) return;
    to.send(data, { binary: isBinary }, resume);
    if (to.bufferedAmount > WAITING_BYTES_HIGH) from.pause();
  });
  return resume;
}
