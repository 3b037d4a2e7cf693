import { randomUUID } from "node:crypto";
import { pause } from "./console.ts";

export const DIALECTS = ["chat", "responses", "messages", "gemini"] as const;
export type Dialect = (typeof DIALECTS)[number];

export type CallResult = { readonly dialect: Dialect; readonly isStream: boolean; readonly repeats: number };
export type Target = { readonly urls: readonly string[]; readonly key: string; readonly model: string };

const TIMEOUT_MS = 30_000;
const REPEAT_FOR_MS = 120_000;
const PAUSE_MS = 500;
const CONCURRENCY = 8;
const PROMPT = "Does this install work?";
/** The call is in progress, or a part of the system is unavailable: a repeat with the same key is safe. */
const REPEATABLE = new Set([409, 429, 500, 502, 503, 504]);

function toRequest(dialect: Dialect, model: string, stream: boolean): { path: string; body: object } {
  const messages = [{ role: "user", content: PROMPT }];
  switch (dialect) {
    case "chat":
      return { path: "/v1/chat/completions", body: { model, stream, messages } };
    case "responses":
      return { path: "/v1/responses", body: { model, stream, input: PROMPT } };
    case "messages":
      return { path: "/v1/messages", body: { model, stream, max_tokens: 64, messages } };
    case "gemini": {
      const method = stream ? "streamGenerateContent?alt=sse" : "generateContent";
      return {
        path: `/v1beta/models/${model}:${method}`,
        body: { contents: [{ role: "user", parts: [{ text: PROMPT }] }] },
      };
    }
  }
}

/** The text that the response must contain, streaming and not. */
const ENDS: Readonly<Record<Dialect, readonly [whole: string, stream: string]>> = {
  chat: ['"choices"', "[DONE]"],
  responses: ['"completed"', "response.completed"],
  messages: ['"end_turn"', "message_stop"],
  gemini: ['"STOP"', '"STOP"'],
};

type Attempt = { readonly isDone: boolean; readonly problem: string };

async function attempt(
  url: string,
  { headers, body, end }: { headers: Record<string, string>; body: object; end: string },
): Promise<Attempt> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
    const text = await response.text();
    if (response.ok && text.includes(end)) return { isDone: true, problem: "" };
    const problem = `${response.status} ${text.slice(0, 300)}`;
    if (response.ok || REPEATABLE.has(response.status)) return { isDone: false, problem };
    throw new RangeError(problem);
  } catch (error) {
    if (error instanceof RangeError) throw new Error(`${url}: ${error.message}`, { cause: error });
    return { isDone: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Makes one call, and repeats it with the same idempotency key until its response is complete. */
async function makeCall({ urls, key, model }: Target, index: number): Promise<CallResult> {
  const dialect = DIALECTS[index % DIALECTS.length] ?? "chat";
  const isStream = Math.floor(index / DIALECTS.length) % 2 === 1;
  const { path, body } = toRequest(dialect, model, isStream);
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
    ...(dialect === "messages" ? { "anthropic-version": "2023-06-01" } : {}),
  };
  const end = ENDS[dialect][isStream ? 1 : 0];
  const untilMs = Date.now() + REPEAT_FOR_MS;
  for (let repeats = 0; ; repeats++) {
    const url = urls[(index + repeats) % urls.length] ?? "";
    const { isDone, problem } = await attempt(`${url}${path}`, { headers, body, end });
    if (isDone) return { dialect, isStream, repeats };
    if (Date.now() > untilMs) throw new Error(`${dialect} call ${index} did not succeed: ${problem}`);
    await pause(PAUSE_MS);
  }
}

/** Makes calls in all dialects, streaming and non-streaming, a few at a time; `onDone` receives how many have ended. */
export async function makeCalls(target: Target, count: number, onDone: (done: number) => void): Promise<CallResult[]> {
  const results: CallResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      results.push(await makeCall(target, next++));
      onDone(results.length);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return results;
}
