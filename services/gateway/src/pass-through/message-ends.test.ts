import type { Writable } from "node:stream";
import * as ws from "ws";
import { expect, it } from "vitest";
import { EndableFrames, lastFrames, MessageEnds } from "./message-ends.ts";

/** Parts of ws that its types do not include. */
const { Receiver, Sender } = ws as unknown as {
  readonly Receiver: new (options: { readonly isServer: boolean }) => Writable;
  readonly Sender: { readonly frame: (data: Buffer, options: object) => Buffer[] };
};

const TEXT = 1;
const CONTINUED = 0;
const PING = 9;
const CLOSE = 8;

function frame(opcode: number, payload: Buffer, { fin = true, mask = false } = {}): Buffer {
  const options = { fin, mask, opcode, readOnly: true, rsv1: false };
  return Buffer.concat(Sender.frame(payload, options));
}

/** Messages of every form of length, in fragments, with control frames between them, and masked as by clients. */
const MESSAGES: readonly (readonly Buffer[])[] = [
  [frame(TEXT, Buffer.from("short"))],
  [frame(TEXT, Buffer.alloc(0))],
  [frame(PING, Buffer.from("alive"))],
  [frame(TEXT, Buffer.alloc(125, "a")), frame(TEXT, Buffer.alloc(126, "b"))],
  [frame(TEXT, Buffer.alloc(70_000, "c"))],
  [
    frame(TEXT, Buffer.from("one "), { fin: false }),
    frame(PING, Buffer.from("in between")),
    frame(CONTINUED, Buffer.from("two "), { fin: false }),
    frame(CONTINUED, Buffer.from("three")),
  ],
  [frame(TEXT, Buffer.from("masked"), { mask: true })],
];

it.each([1, 2, 3, 7, 1_000, 1_000_000])("finds the ends of messages that arrive %d bytes at a time", (size) => {
  for (const frames of MESSAGES) {
    const bytes = Buffer.concat(frames);
    const ends = new MessageEnds();
    const found: number[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      const part = bytes.subarray(at, at + size);
      let read = ends.read(part.subarray(0, 1), false);
      while (read < part.length) {
        if (ends.isBetweenMessages()) found.push(at + read);
        // The first byte begins the next message, so that the next end is another one.
        read += ends.read(part.subarray(read, read + 1), false);
        read += ends.read(part.subarray(read), true);
      }
    }
    expect(ends.isBetweenMessages()).toBe(true);
    expect(found.every((end) => end < bytes.length)).toBe(true);
  }
});

const readAll = (bytes: Buffer): Promise<{ messages: string[]; code: number | undefined }> =>
  new Promise((resolve, reject) => {
    const messages: string[] = [];
    const receiver = new Receiver({ isServer: false });
    receiver.on("message", (data: Buffer) => messages.push(data.toString()));
    receiver.on("error", reject);
    receiver.on("conclude", (code: number) => resolve({ messages, code }));
    receiver.write(bytes);
    receiver.end(() => setImmediate(() => resolve({ messages, code: undefined })));
  });

it("ends after the message in progress, and drops what follows", async () => {
  const frames = new EndableFrames();
  const out: Buffer[] = [];
  const ended = new Promise((resolve) => frames.on("data", (part: Buffer) => out.push(part)).on("end", resolve));
  const message = frame(TEXT, Buffer.from("the message in progress"));
  frames.write(message.subarray(0, 5));
  frames.endWith(lastFrames("stopping", 1012));
  frames.write(Buffer.concat([message.subarray(5), frame(TEXT, Buffer.from("dropped"))]));
  frames.write(frame(TEXT, Buffer.from("dropped too")));
  await ended;
  expect(await readAll(Buffer.concat(out))).toEqual({ messages: ["the message in progress", "stopping"], code: 1012 });
});

it("ends at once between two messages, with a text of any length", async () => {
  for (const text of ["short", "l".repeat(125), "l".repeat(126), "l".repeat(5_000)]) {
    const frames = new EndableFrames();
    const out: Buffer[] = [];
    const ended = new Promise((resolve) => frames.on("data", (part: Buffer) => out.push(part)).on("end", resolve));
    frames.write(frame(TEXT, Buffer.from("one")));
    frames.endWith(lastFrames(text, 1012));
    await ended;
    expect(await readAll(Buffer.concat(out))).toEqual({ messages: ["one", text], code: 1012 });
  }
});

it("adds nothing behind a close frame", () => {
  const frames = new EndableFrames();
  const close = frame(CLOSE, Buffer.from([3, 232]));
  frames.write(close);
  frames.endWith(lastFrames("stopping", 1012));
  frames.write(Buffer.from("anything"));
  expect(Buffer.concat([frames.read() as Buffer]).subarray(0, close.length)).toEqual(close);
  expect(frames.readableEnded).toBe(false);
});
