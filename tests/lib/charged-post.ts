import { request } from "node:http";

type Headers = Readonly<Record<string, string | string[] | undefined>>;
export type ChargedReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly trailers: Headers;
  readonly text: string;
};
type Json = Record<string, unknown>;

/** A call whose trailers can be read, which `fetch` drops. */
export const createChargedPost =
  (key: string) =>
  (base: string, path: string, body: Json, headers: Record<string, string> = {}): Promise<ChargedReply> =>
    new Promise((resolve, reject) => {
      const sent = { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers };
      const call = request(base + path, { method: "POST", headers: sent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => {
          const { statusCode: status = 0, trailers } = response;
          resolve({ status, headers: response.headers, trailers, text });
        });
        response.on("error", reject);
      });
      call.on("error", reject).end(JSON.stringify(body));
    });

/** The charge that a response reports, in dollars: a header, or a trailer of a stream. */
export const readCharge = ({ headers, trailers }: ChargedReply): unknown =>
  headers["x-turnpike-cost"] ?? trailers["x-turnpike-cost"];

const PROMPT = "How much is it?";
export const MESSAGES = [{ role: "user", content: PROMPT }];

/** Calls of each dialect: its path, and the body without the model. */
export const DIALECT_CALLS: readonly [
  path: (model: string, stream: boolean) => string,
  body: (stream: boolean) => Json,
][] = [
  [() => "/v1/chat/completions", (stream) => ({ messages: MESSAGES, stream })],
  [() => "/v1/messages", (stream) => ({ messages: MESSAGES, stream, max_tokens: 50 })],
  [() => "/v1/responses", (stream) => ({ input: PROMPT, stream })],
  [
    (model, stream) => `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    () => ({ contents: [{ role: "user", parts: [{ text: PROMPT }] }] }),
  ],
];

/** The dollars of quota units at the default rate, as responses report them. */
export const inDollars = (quota: number): number => Number((quota / 500_000).toFixed(12));
