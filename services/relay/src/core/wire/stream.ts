import type { ReportedUsage, StreamPart } from "../chat/chat.ts";
import type { UpstreamFailure } from "../errors/relay-error.ts";

/** Headers from the HTTP client, with lower-case names. */
export type SentHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A server-sent event, already parsed from its lines. */
export type StreamEvent = { readonly event: string | undefined; readonly data: string };

/** An event with one line of data, as it is sent (WHATWG server-sent events, section 9.2.6). */
export const formatEvent = ({ event, data }: StreamEvent): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;

/** Parses one stream. Throws StreamFailure if an event reports a failure or is not in the expected format. */
export type StreamReader = {
  /** Parts of one event, possibly none. After the end mark `isComplete` is true. */
  readonly read: (event: StreamEvent) => StreamPart[];
  /** The remaining parts once the bytes ended properly (a `finish` that waited for usage). */
  readonly end: () => StreamPart[];
  /** True once the provider's own end mark was seen: a stream that ends before it was cut. */
  readonly isComplete: () => boolean;
  /** Upstream's usage reports so far, for responses that are cut: prompt, hidden reasoning, tools it ran. */
  readonly usageSoFar?: () => ReportedUsage;
  /**
   * For pass-through streams: the text of an event that contains only text, without the cost of parsing it completely.
   * Undefined if it must be parsed.
   */
  readonly skim?: (event: StreamEvent) => string | undefined;
};

/** An error that upstream sent inside a stream, or an unreadable frame. */
export class StreamFailure extends Error {
  readonly upstream: UpstreamFailure;
  readonly status: number;
  /** Set if upstream reports the usage of the failed response. */
  readonly usage: ReportedUsage;

  constructor(upstream: UpstreamFailure, status = 502, usage?: ReportedUsage) {
    super(upstream.message);
    this.name = "StreamFailure";
    this.upstream = upstream;
    this.status = status;
    this.usage = usage;
  }
}

/** A unit of a stream; `event` is undefined for comments and empty frames. */
export type Frame = {
  /** For a caller of the same format: the original bytes, or their conversion to that format. */
  readonly raw: Buffer;
  readonly event: StreamEvent | undefined;
  /** The text of consecutive skimmed frames, which are merged into one without an event. */
  readonly skimmed?: string;
};

/** Splits a byte stream into frames as they complete. Throws if the bytes cannot be of the format. */
export type FrameSplitter = {
  /** Must be iterated to its end before the next push. A splitter may ignore `skim`. */
  readonly push: (chunk: Buffer, skim?: StreamReader["skim"]) => Iterable<Frame>;
  /**
   * The text of a chunk that consists of complete frames that can all be skimmed, which saves the frames; undefined for
   * every other chunk, which must be pushed.
   */
  readonly skimChunk?: (chunk: Buffer, skim: NonNullable<StreamReader["skim"]>) => string | undefined;
  readonly end: () => Frame | undefined;
};

/** A stream in the caller's format: its content type, and the converter from upstream's bytes. */
export type WrittenStream = { readonly contentType: string; readonly newFrameSplitter: () => FrameSplitter };
