import type { PlannedResponse } from "./scenario.ts";

export type JsonObject = { readonly [name: string]: unknown };

export type FormatName = "openai" | "anthropic" | "gemini" | "bedrock" | "cohere";

/** A request as the provider interprets it. */
export type Requested = {
  readonly model: string;
  readonly stream: boolean;
  /** All text of the prompt, including system text and tool results. */
  readonly promptText: string;
  /** OpenAI only: the caller requested a usage chunk. */
  readonly includesUsage: boolean;
  /** How many images are requested. */
  readonly count?: number;
};

/** A provider's refusal of an invalid request. */
export type Refusal = {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
};

export type ReceivedRequest = {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Raw path, query and body bytes: the input of signatures. */
  readonly target: string;
  readonly bytes: Buffer;
};

/** One provider's wire format, as strict about requests as the provider. */
export type WireFormat = {
  readonly name: FormatName;
  /** The upstream key, from where this provider expects it. */
  readKey(request: ReceivedRequest): string | undefined;
  read(request: ReceivedRequest): Requested | Refusal;
  whole(response: PlannedResponse): JsonObject;
  /** The content type of non-streaming responses if it is not JSON's. */
  readonly responseType?: string;
  /** Frames of the stream, each with its own line ends. */
  frames(response: PlannedResponse, requested: Requested): (string | Buffer)[];
  /** The content type of streams if it is not that of server-sent events. */
  readonly streamType?: string;
  errorBody(refusal: Refusal): JsonObject;
  /** Headers of a refusal. */
  readonly errorHeaders?: (refusal: Refusal) => Readonly<Record<string, string>>;
  errorFrame(): string | Buffer;
  /** An invalid frame. */
  readonly malformedFrame: string | Buffer;
  readonly newline: string;
};

export const isRefusal = (read: Requested | Refusal): read is Refusal => "status" in read;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** All texts anywhere in a value. */
export function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textIn).join("\n");
  if (!isObject(value)) return "";
  return ["text", "content", "parts", "input", "functionResponse", "response", "output", "result"]
    .map((name) => textIn(value[name]))
    .filter((text) => text !== "")
    .join("\n");
}

/** Splits a string into parts of at most that many characters. */
export function getParts(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}
