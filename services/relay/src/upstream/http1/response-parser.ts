import { maxHeaderSize } from "node:http";
import { copyRanges, ChunkDecoder } from "./chunk-decoder.ts";
import { ProtocolError } from "./protocol-error.ts";
import { parseHead, type ResponseHead } from "./response-head.ts";

/** Receives the parts of one response. The bytes of a body belong to the receiver. */
export type ResponseReceiver = {
  readonly onHead: (head: ResponseHead) => void;
  readonly onBody: (bytes: Buffer) => void;
};

const NOTHING = Buffer.alloc(0);
/**
 * The first chunks of a body are passed on one by one, as upstream wrote them: whether a failure behind them can still
 * lead to another channel must not depend on what the network joins.
 */
const SINGLE_CHUNKS = 4;
const HEAD_END = "\r\n\r\n";

/**
 * Parses one response after another from the bytes of a connection (RFC 9112). The bytes given to `push` may be
 * overwritten afterwards: everything kept is copied, once, and later chunks that arrive together are passed on together.
 */
export class ResponseParser {
  readonly #receiver: ResponseReceiver;
  #head: ResponseHead | undefined;
  /** The beginning of a head that has not arrived completely. */
  #partialHead: Buffer = NOTHING;
  #chunks: ChunkDecoder | undefined;
  /** Bytes missing of a body with a content length. */
  #missing = 0;
  #isComplete = false;
  /** Pieces of a chunked body that were passed on. */
  #pieces = 0;

  constructor(receiver: ResponseReceiver) {
    this.#receiver = receiver;
  }

  /** The final response was read to its end. */
  isComplete(): boolean {
    return this.#isComplete;
  }

  /** The connection may be used for another request. */
  keepsAlive(): boolean {
    return this.#isComplete && this.#head?.framing !== "close" && this.#head?.keepsAlive === true;
  }

  /** Throws ProtocolError for bytes that are not of a response, also for those behind a complete one. */
  push(bytes: Buffer): void {
    let rest = bytes;
    while (!this.#head && rest.length > 0) rest = this.#readHead(rest);
    if (rest.length === 0 || !this.#head) return;
    if (this.#isComplete) throw new ProtocolError("bytes after its end");
    this.#readBody(this.#head, rest);
  }

  /** Upstream closed the connection. Throws ProtocolError if the response is incomplete. */
  finish(): void {
    if (this.#head?.framing === "close") this.#isComplete = true;
    if (!this.#isComplete) throw new ProtocolError("the connection was closed before its end");
  }

  /** Returns the bytes behind the head, or none while the head is incomplete. */
  #readHead(bytes: Buffer): Buffer {
    const known = this.#partialHead.length;
    const all = known === 0 ? bytes : Buffer.concat([this.#partialHead, bytes]);
    const end = all.indexOf(HEAD_END, Math.max(0, known - HEAD_END.length + 1), "latin1");
    if ((end < 0 ? all.length : end) > maxHeaderSize) throw new ProtocolError("its head is too large");
    if (end < 0) {
      this.#partialHead = known === 0 ? Buffer.from(bytes) : all;
      return NOTHING;
    }
    this.#partialHead = NOTHING;
    const head = parseHead(all.toString("latin1", 0, end));
    const rest = all.subarray(end + HEAD_END.length);
    if (head.status === 101) throw new ProtocolError("it switches protocols without a request");
    // Informational responses (103) precede the final one.
    if (head.status >= 200) this.#begin(head);
    return rest;
  }

  #begin(head: ResponseHead): void {
    this.#head = head;
    if (head.framing === "chunked") this.#chunks = new ChunkDecoder();
    this.#missing = head.contentLength;
    this.#isComplete = head.framing === "length" && head.contentLength === 0;
    this.#receiver.onHead(head);
  }

  #readBody(head: ResponseHead, bytes: Buffer): void {
    if (this.#chunks) return this.#readChunks(this.#chunks, bytes);
    const size = head.framing === "length" ? Math.min(this.#missing, bytes.length) : bytes.length;
    this.#missing -= size;
    this.#isComplete = head.framing === "length" && this.#missing === 0;
    this.#receiver.onBody(copyRanges(bytes, [0, size], size));
    if (size < bytes.length) throw new ProtocolError("bytes after its end");
  }

  #readChunks(chunks: ChunkDecoder, bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0; rest = rest.subarray(chunks.readBytes())) {
      const body = chunks.decode(rest, this.#pieces < SINGLE_CHUNKS ? "one" : "all");
      this.#isComplete = chunks.isComplete();
      if (body.length === 0) continue;
      this.#pieces++;
      this.#receiver.onBody(body);
    }
  }
}
