import { Transform, type TransformCallback } from "node:stream";

const FIN = 0x80;
const OPCODE = 0x0f;
const FIRST_CONTROL = 0x8;
const CLOSE = 0x8;
const TEXT = 0x1;
const MASKED = 0x80;
const LENGTH = 0x7f;
const MASK_BYTES = 4;
/** The bytes of the payload's length behind the first two of a head, by the value of the second one. */
const LENGTH_BYTES: Readonly<Record<number, number>> = { 126: 2, 127: 8 };

/** Follows the frames of one side of a WebSocket (RFC 6455, section 5.2), without keeping their content. */
export class MessageEnds {
  /** The part of a frame's head that has arrived. */
  #head: number[] = [];
  #payloadLeft = 0;
  /** Frames of a message have arrived, and not its last one. */
  #isInMessage = false;
  #hasClosed = false;

  /** True where another message could be added. */
  isBetweenMessages(): boolean {
    return this.#head.length === 0 && this.#payloadLeft === 0 && !this.#isInMessage;
  }

  /** True once a close frame began: nothing may follow it. */
  hasClosed(): boolean {
    return this.#hasClosed;
  }

  /** Reads bytes, all of them or those before the next end of a message; returns how many. */
  read(bytes: Buffer, untilEnd: boolean): number {
    let at = 0;
    while (at < bytes.length && !(untilEnd && this.isBetweenMessages())) {
      if (this.#payloadLeft > 0) {
        const count = Math.min(this.#payloadLeft, bytes.length - at);
        this.#payloadLeft -= count;
        at += count;
      } else this.#readHead(bytes[at++] ?? 0);
    }
    return at;
  }

  #readHead(byte: number): void {
    const head = this.#head;
    head.push(byte);
    const [first = 0, second] = head;
    if (second === undefined) return;
    const lengthBytes = LENGTH_BYTES[second & LENGTH] ?? 0;
    if (head.length < 2 + lengthBytes + (second & MASKED ? MASK_BYTES : 0)) return;
    const long = head.slice(2, 2 + lengthBytes).reduce((sum, part) => sum * 256 + part, 0);
    this.#payloadLeft = lengthBytes === 0 ? second & LENGTH : long;
    this.#head = [];
    const opcode = first & OPCODE;
    if (opcode < FIRST_CONTROL) this.#isInMessage = (first & FIN) === 0;
    this.#hasClosed ||= opcode === CLOSE;
  }
}

function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const short = Buffer.from([FIN | opcode, length]);
  const long = Buffer.from([FIN | opcode, 126, length >> 8, length & 0xff]);
  return Buffer.concat([length < 126 ? short : long, payload]);
}

/** A message and a close frame, as a server sends them. The text has less than 64 kB. */
export const lastFrames = (text: string, closeCode: number): Buffer =>
  Buffer.concat([frame(TEXT, Buffer.from(text)), frame(CLOSE, Buffer.from([closeCode >> 8, closeCode & 0xff]))]);

/** Passes frames on unchanged, until it is given its last frames; what arrives afterwards is dropped. */
export class EndableFrames extends Transform {
  readonly #ends = new MessageEnds();
  #last: Buffer | undefined;
  #isOver = false;

  override _transform(bytes: Buffer, _: BufferEncoding, done: TransformCallback): void {
    if (!this.#isOver) {
      const count = this.#ends.read(bytes, this.#last !== undefined);
      if (count > 0) this.push(count === bytes.length ? bytes : bytes.subarray(0, count));
      this.#finish();
    }
    done();
  }

  /** Ends with these frames, after the message in progress; without them if the other side closes itself. */
  endWith(last: Buffer): void {
    this.#last = last;
    this.#finish();
  }

  #finish(): void {
    if (this.#isOver || !this.#last || !this.#ends.isBetweenMessages() || this.#ends.hasClosed()) return;
    this.#isOver = true;
    this.push(this.#last);
    this.push(null);
  }
}
