import { connect } from "node:net";

/** A streaming call to measure. */
export type StreamTarget = { readonly url: string; readonly key: string; readonly model: string };

/** How streams are opened, and how many frames each has to deliver. */
export type StreamScene = {
  readonly streams: number;
  readonly framesEach: number;
  /** The starts are spread evenly over this time. */
  readonly spreadMs: number;
};

/** What the client saw; all times in milliseconds. */
export type StreamTimes = {
  readonly frames: number;
  readonly lost: number;
  /** From the request to the first frame, one per stream. */
  readonly firstTokenMs: readonly number[];
  /** From the request to the end of the response, one per complete stream. */
  readonly wholeMs: readonly number[];
  /** From upstream's write to the client's read, one per frame. */
  readonly delaysMs: readonly number[];
};

/** The value below which this share of the values lies; 0 for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const SENT_AT = /"content":"([\d.]+) "/g;
const END_MARK = "[DONE]";
/** Enough to find the end mark where two chunks meet, and a frame that was cut in two. */
const KEPT_CHARACTERS = 400;

/** Opens paced streams on bare sockets, which cost the client little, and times every frame. */
export async function runStreams(target: StreamTarget, scene: StreamScene): Promise<StreamTimes> {
  const url = new URL(target.url);
  const body = JSON.stringify({ model: target.model, stream: true, messages: [{ role: "user", content: "go" }] });
  const request = [
    `POST ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    `authorization: Bearer ${target.key}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    "",
    body,
  ].join("\r\n");
  const firstTokenMs: number[] = [];
  const wholeMs: number[] = [];
  const delaysMs: number[] = [];

  const openStream = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(() => {
        const startedAt = performance.now();
        let hasToken = false;
        let text = "";
        const socket = connect(Number(url.port), url.hostname, () => socket.write(request));
        socket.setNoDelay();
        socket.on("data", (chunk) => {
          text += chunk.toString("latin1");
          const now = performance.now();
          let readTo = 0;
          for (const found of text.matchAll(SENT_AT)) {
            delaysMs.push(performance.timeOrigin + now - Number(found[1]));
            readTo = found.index + found[0].length;
            if (!hasToken) firstTokenMs.push(now - startedAt);
            hasToken = true;
          }
          text = text.slice(Math.max(readTo, text.length - KEPT_CHARACTERS));
        });
        socket.on("error", () => undefined);
        socket.on("close", () => {
          if (text.includes(END_MARK)) wholeMs.push(performance.now() - startedAt);
          resolve();
        });
      }, delayMs);
    });

  await Promise.all(
    Array.from({ length: scene.streams }, (_, index) => openStream((index * scene.spreadMs) / scene.streams)),
  );
  const frames = delaysMs.length;
  return { frames, lost: scene.streams * scene.framesEach - frames, firstTokenMs, wholeMs, delaysMs };
}
