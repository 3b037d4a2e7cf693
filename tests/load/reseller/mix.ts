/** The calls of a reseller's customers: dialects, streams and failures in the proportions of a busy day. */
export type Kind = {
  readonly name: string;
  /** Relative frequency. */
  readonly weight: number;
  readonly path: string;
  readonly body: (prompt: string) => object;
  /** Expected content at the end of a successful response. */
  readonly endMark: string;
  /** How upstream should respond; the default is a short, successful response. */
  readonly scenario?: object;
  /** Calls that must not succeed. */
  readonly fails?: boolean;
};

const CLAUDE = "claude-3-5-sonnet-20241022";
const GEMINI = "/v1beta/models/gemini-2.0-flash";
/** A response of forty words at twenty per second. */
const STREAMED = { pieces: 40, frameGapMs: 50 };

const chat =
  (model: string, stream: boolean) =>
  (prompt: string): object => ({
    model,
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    messages: [{ role: "user", content: prompt }],
  });
const messages =
  (stream: boolean) =>
  (prompt: string): object => ({
    model: CLAUDE,
    stream,
    max_tokens: 200,
    messages: [{ role: "user", content: prompt }],
  });
const contents = (prompt: string): object => ({ contents: [{ role: "user", parts: [{ text: prompt }] }] });
const CHAT = "/v1/chat/completions";

export const KINDS: readonly Kind[] = [
  { name: "chat", weight: 25, path: CHAT, body: chat("gpt-4o", false), endMark: '"usage"' },
  { name: "chat streamed", weight: 33, path: CHAT, body: chat("gpt-4o", true), endMark: "[DONE]", scenario: STREAMED },
  { name: "messages", weight: 5, path: "/v1/messages", body: messages(false), endMark: '"usage"' },
  {
    name: "messages streamed",
    weight: 10,
    path: "/v1/messages",
    body: messages(true),
    endMark: "message_stop",
    scenario: STREAMED,
  },
  { name: "gemini", weight: 7, path: `${GEMINI}:generateContent`, body: contents, endMark: "STOP" },
  {
    name: "gemini streamed",
    weight: 5,
    path: `${GEMINI}:streamGenerateContent?alt=sse`,
    body: contents,
    endMark: "STOP",
    scenario: STREAMED,
  },
  // Another dialect than the channel's: responses are converted.
  { name: "chat on claude", weight: 4, path: CHAT, body: chat(CLAUDE, false), endMark: '"usage"' },
  {
    name: "chat on claude, streamed",
    weight: 4,
    path: CHAT,
    body: chat(CLAUDE, true),
    endMark: "[DONE]",
    scenario: STREAMED,
  },
  { name: "unknown model", weight: 2, path: CHAT, body: chat("gpt-nonsense", false), endMark: "", fails: true },
  {
    name: "refused upstream",
    weight: 3,
    path: CHAT,
    body: chat("gpt-4o-mini", false),
    endMark: "",
    scenario: { refuse: { status: 429, message: "slow down" } },
    fails: true,
  },
  {
    name: "cut in mid-stream",
    weight: 2,
    path: CHAT,
    body: chat("gpt-4o-mini", true),
    endMark: "",
    scenario: { ...STREAMED, cutAfterFrames: 8 },
    fails: true,
  },
];

const TOTAL = KINDS.reduce((sum, { weight }) => sum + weight, 0);

/** Selects a kind by a number from 0 to 1, in proportion to its weight. */
export function kindAt(share: number): Kind {
  let left = share * TOTAL;
  for (const kind of KINDS) if ((left -= kind.weight) < 0) return kind;
  return KINDS[0] as Kind;
}

const WORDS = "the quick brown fox asks whether a gateway can count what it carries ";
const LONG_SHARE = 0.05;
const LONG_REPEATS = 250;

/** A prompt of about 200 bytes, occasionally of 17 kB; it contains the scenario for upstream. */
export function getPrompt(kind: Kind, share: number): string {
  const words = WORDS.repeat(share < LONG_SHARE ? LONG_REPEATS : 3);
  return kind.scenario ? `${words}[[fake ${JSON.stringify(kind.scenario)}]]` : words;
}
