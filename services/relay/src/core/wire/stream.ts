import type { ReportedUsage, StreamPart } from "../chat/chat.ts";
import type { UpstreamFailure } from "../errors/relay-error.ts";

/** Headers as the HTTP client gives them, names in lower case. */
export type SentHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A server-sent event, already split and joined. */
export type StreamEvent = { readonly event: string | undefined; readonly data: string };

/** Reads one stream. Throws StreamFailure when the event itself says that the answer failed, or is not of the format. */
export type StreamReader = {
  /** Parts of one event, possibly none. After the end mark `isComplete` is true. */
  readonly read: (event: StreamEvent) => StreamPart[];
  /** Parts still owed once the bytes have ended properly (a `finish` that waited for usage). */
  readonly end: () => StreamPart[];
  /** True once the provider's own end mark was seen: a stream that ends before it was cut. */
  readonly isComplete: () => boolean;
  /** What upstream has told of its usage so far, for answers that are cut: prompts, hidden thoughts, tools that it ran. */
  readonly usageSoFar?: () => ReportedUsage;
  /**
   * For streams that go through byte by byte: the text of an event that is a piece of text and nothing else, without the cost of
   * reading it whole. Undefined where it must be read.
   */
  readonly skim?: (event: StreamEvent) => string | undefined;
};

/** An error that upstream sent inside a stream, or a frame that cannot be read. */
export class StreamFailure extends Error {
  readonly upstream: UpstreamFailure;
  readonly status: number;
  /** Where upstream says what the failed answer used. */
  readonly usage: ReportedUsage;

  constructor(upstream: UpstreamFailure, status = 502, usage?: ReportedUsage) {
    super(upstream.message);
    this.name = "StreamFailure";
    this.upstream = upstream;
    this.status = status;
    this.usage = usage;
  }
}

/** A stretch of a stream that came as one; `event` is undefined for comments and empty frames. */
export type Frame = {
  /** For a caller of the same format: the very bytes, or what they are in that format. */
  readonly raw: Buffer;
  readonly event: StreamEvent | undefined;
  /** Of frames in a row that were skimmed, and come as one without an event: their text. */
  readonly skimmed?: string;
};

/** Cuts a byte stream into frames as they complete. Throws when the bytes cannot be of the format. */
export type FrameSplitter = {
  /** Gone through to its end before the next push. A splitter may leave `skim` alone. */
  readonly push: (chunk: Buffer, skim?: StreamReader["skim"]) => Iterable<Frame>;
  readonly end: () => Frame | undefined;
};

/** A stream in the caller's form: what the caller is told it is, and what makes it of upstream's bytes. */
export type WrittenStream = { readonly contentType: string; readonly newFrameSplitter: () => FrameSplitter };
