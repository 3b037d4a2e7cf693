/** Time limits of one upstream call, one per phase. */
export type Timeouts = { readonly connectMs: number; readonly firstByteMs: number; readonly idleMs: number };

export type OutgoingRequest = {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks are sent in order; `content-length` must then be in the headers. */
  readonly body: string | Buffer | readonly Buffer[] | undefined;
  readonly firstByteMs: number;
  readonly idleMs: number;
  /** The URL of a proxy to use. */
  readonly proxy?: string;
};

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Receives one response. `fail` is called instead of `end`, at any time, exactly once. */
export type ResponseSink = {
  readonly head: (status: number, headers: ResponseHeaders) => void;
  readonly data: (chunk: Buffer) => void;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
};

/** Controls a response in progress. After `abort` no sink method is called. */
export type UpstreamCall = {
  readonly abort: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  /** True once the whole request was sent to upstream, which may charge for it from then on. */
  readonly isSent: () => boolean;
};

/** How far a call to upstream has come; `status` is 0 until the response's head arrives. */
export type CallProgress = { isSent: boolean; status: number };

/**
 * Registers `cancel` to run when the work is no longer needed; it runs at once if that is already so. Lighter than an
 * AbortSignal, and every call has one.
 */
export type OnCancel = (cancel: (reason: Error) => void) => void;

export type UpstreamResponse = { readonly status: number; readonly headers: ResponseHeaders; readonly body: Buffer };
