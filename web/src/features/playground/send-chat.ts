import i18next from "i18next";
import { reportSignedOut } from "../../lib/api/api-client.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { createEventReader, parseStreamError, type Delta, parseDelta } from "./chat-events.ts";
import type { PlaygroundSettings } from "./playground-settings.ts";

type ChatRequest = {
  readonly settings: PlaygroundSettings;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly signal: AbortSignal;
  readonly onPiece: (piece: Delta) => void;
};

const UNREADABLE = text("聊天数据解析失败");
const DONE = "[DONE]";

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}

const toRequestBody = ({ settings, messages }: ChatRequest): Record<string, unknown> => ({
  model: settings.model,
  group: settings.group,
  messages,
  stream: settings.stream,
  ...(settings.hasTemperature ? { temperature: settings.temperature } : {}),
  ...(settings.maxTokens > 0 ? { max_tokens: settings.maxTokens } : {}),
});

/** The error as text for the reply. */
const failure = (sentence: string): Error => new Error(i18next.t(sentence));

async function getRefusal(response: Response): Promise<Error> {
  if (response.status === 401) {
    reportSignedOut();
    return failure(text("未登录或登录已过期，请重新登录！"));
  }
  return new Error(parseStreamError(parsed(await response.text())) ?? `HTTP ${response.status}`);
}

function take(data: string, onPiece: ChatRequest["onPiece"]): void {
  const piece = parseDelta(parsed(data));
  if (!piece) throw failure(UNREADABLE);
  if (piece.error !== undefined) throw new Error(piece.error);
  onPiece(piece);
}

async function readStream(body: ReadableStream<Uint8Array>, onPiece: ChatRequest["onPiece"]): Promise<void> {
  const read = createEventReader();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw failure(text("回答中断了，请重试"));
    for (const data of read(decoder.decode(value, { stream: true }))) {
      if (data === DONE) return;
      take(data, onPiece);
    }
  }
}

/**
 * Sends the conversation to a model, passes on the response and returns the id of the request; throws with a text for the user, or the abort when it
 * was stopped.
 */
export async function sendChat(request: ChatRequest): Promise<string | undefined> {
  let response: Response;
  try {
    response = await fetch("/pg/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(toRequestBody(request)),
      signal: request.signal,
    });
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    throw failure(text("无法连接服务器，请检查网络"));
  }
  if (!response.ok) throw await getRefusal(response);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (isStream && response.body) await readStream(response.body, request.onPiece);
  else take(await response.text(), request.onPiece);
  return response.headers.get("x-request-id") ?? undefined;
}
