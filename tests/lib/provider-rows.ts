import { createHash, createHmac, generateKeyPairSync, verify } from "node:crypto";
import { AWS_ACCOUNT, awsSignatureProblem } from "./fake-upstream/aws-signature.ts";
import { BEDROCK_KEY } from "./fake-upstream/bedrock-format.ts";
import type { Recorded, SentRequest } from "./upstreams/recorded-provider.ts";

/** A channel of one type, and the requests that its provider expects. */
export type ProviderRow = Recorded & {
  readonly type: number;
  readonly model: string;
  readonly key?: string;
  readonly other?: string;
  /** The path of the channel's address. */
  readonly base?: string;
  readonly scheme?: string;
};

const KEY = "up-key";

/** Expects a call to this path with these headers and these fields of the body. */
function requires(path: string, headers: Readonly<Record<string, string>>, ...fields: string[]) {
  return ({ target, headers: sent, body }: SentRequest): string | undefined => {
    if (target !== path) return `the path is ${target}, not ${path}`;
    const wrong = Object.entries(headers).find(([name, value]) => sent[name] !== value);
    if (wrong) return `${wrong[0]} is ${sent[wrong[0]]}, not ${wrong[1]}`;
    const missing = fields.find((field) => body[field] === undefined);
    return missing === undefined ? undefined : `${missing} is missing`;
  };
}

const bearer = { authorization: `Bearer ${KEY}` };

/** A provider with OpenAI's format. */
const like = (type: number, path: string, given: Partial<ProviderRow> = {}): ProviderRow => ({
  type,
  model: "some-model",
  folder: "openai",
  problem: requires(path, bearer, "messages"),
  ...given,
});

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const decoded = (part = ""): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as Record<string, unknown>;

function zhipuProblem({ target, headers, body }: SentRequest): string | undefined {
  if (!/^\/api\/paas\/v3\/model-api\/chatglm_turbo\/(sse-)?invoke$/.test(target)) return `the path is ${target}`;
  const [head, claims, signature] = (headers["authorization"] ?? "").split(".");
  const { api_key: id, exp, timestamp } = decoded(claims);
  if (decoded(head)["sign_type"] !== "SIGN" || id !== "the-id") return "the token's header or claims are wrong";
  if (!(Number(timestamp) > 1e12) || !(Number(exp) > Date.now())) return "times must be milliseconds";
  const expected = createHmac("sha256", "the-secret").update(`${head}.${claims}`).digest("base64url");
  if (signature !== expected) return "the token's signature is wrong";
  return Array.isArray(body["prompt"]) ? undefined : "prompt is missing";
}

function tencentProblem({ target, headers, text, body }: SentRequest): string | undefined {
  if (target !== "/" || headers["x-tc-action"] !== "ChatCompletions" || headers["x-tc-version"] !== "2023-09-01")
    return "the action or its version is wrong";
  const at = Number(headers["x-tc-timestamp"]);
  if (!(Math.abs(Date.now() / 1000 - at) < 300)) return "the time is wrong";
  const day = new Date(at * 1000).toISOString().slice(0, 10);
  const scope = `${day}/hunyuan/tc3_request`;
  const [, signedHeaders = "", signature] =
    /SignedHeaders=([^,]+), Signature=(\w+)$/.exec(headers["authorization"] ?? "") ?? [];
  const lines = signedHeaders
    .split(";")
    .map((name) => `${name}:${(headers[name] ?? "").toLowerCase()}\n`)
    .join("");
  const canonical = `POST\n/\n\n${lines}\n${signedHeaders}\n${sha256(text)}`;
  const key = ["hunyuan", "tc3_request"].reduce<Buffer>(hmac, hmac("TC3the-secret-key", day));
  const toSign = `TC3-HMAC-SHA256\n${at}\n${scope}\n${sha256(canonical)}`;
  if (!headers["authorization"]?.startsWith(`TC3-HMAC-SHA256 Credential=secret-id/${scope}, `))
    return "the credential is wrong";
  if (hmac(key, toSign).toString("hex") !== signature) return "the signature is wrong";
  return Array.isArray(body["Messages"]) ? undefined : "Messages is missing";
}

function iflytekProblem({ target, headers, body }: SentRequest): string | undefined {
  const { pathname, searchParams } = new URL(target, "http://host");
  if (pathname !== "/v3.5/chat") return `the path is ${pathname}`;
  const words = Buffer.from(searchParams.get("authorization") ?? "", "base64").toString("utf8");
  const date = searchParams.get("date") ?? "";
  const toSign = `host: ${headers["host"]}\ndate: ${date}\nGET ${pathname} HTTP/1.1`;
  const signature = createHmac("sha256", "api-secret").update(toSign).digest("base64");
  if (!words.includes(`api_key="api-key"`) || !words.includes(`signature="${signature}"`))
    return "the signature is wrong";
  if (searchParams.get("host") !== headers["host"]) return "the signed host is not the called one";
  const header = body["header"] as { app_id?: string } | undefined;
  return header?.app_id === "app-id" ? undefined : "app_id is wrong";
}

const baiduToken = ({ target }: SentRequest): object | undefined => {
  if (!target.startsWith("/oauth/2.0/token?")) return undefined;
  const query = new URL(target, "http://host").searchParams;
  const isRight = query.get("client_id") === "client" && query.get("client_secret") === "secret";
  return isRight ? { access_token: "24.token", expires_in: 2_592_000 } : { error: "invalid_client" };
};

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const SERVICE_ACCOUNT = JSON.stringify({
  type: "service_account",
  project_id: "a-project",
  client_email: "relay@a-project.iam.gserviceaccount.com",
  private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  token_uri: "https://oauth2.googleapis.com/token",
});

/** Returns an access token for a claim signed by the service account. */
function googleToken({ target, text }: SentRequest): object | undefined {
  if (target !== "/token") return undefined;
  const [head = "", claims = "", signature = ""] = (new URLSearchParams(text).get("assertion") ?? "").split(".");
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(`${head}.${claims}`),
    publicKey,
    Buffer.from(signature, "base64url"),
  );
  const isRight = isSigned && decoded(claims)["aud"] === "https://oauth2.googleapis.com/token";
  return isRight ? { access_token: "ya29.token", expires_in: 3600 } : { error: "invalid_grant" };
}

const PLACE = "/v1/projects/a-project/locations/europe-west1/publishers";

const vertex = (folder: string, model: string, calls: readonly [string, string], field: string): ProviderRow => ({
  type: 41,
  folder,
  model,
  key: SERVICE_ACCOUNT,
  other: "europe-west1",
  aside: googleToken,
  problem: (request) =>
    requires(
      request.target.includes("stream") ? calls[1] : calls[0],
      { authorization: "Bearer ya29.token" },
      field,
    )(request),
});

/** Expects either of two paths. */
const eitherPath =
  (whole: string, streamed: string, headers: Readonly<Record<string, string>>, field: string) =>
  (request: SentRequest): string | undefined =>
    requires(request.target === streamed ? streamed : whole, headers, field)(request);

const GEMINI = "/v1beta/models/gemini-2.5-flash";

/** Every channel type that serves chat. */
export const PROVIDER_ROWS: readonly ProviderRow[] = [
  like(1, "/v1/chat/completions"),
  like(3, "/openai/deployments/some-model/chat/completions?api-version=2024-10-21", {
    other: "2024-10-21",
    problem: requires(
      "/openai/deployments/some-model/chat/completions?api-version=2024-10-21",
      { "api-key": KEY },
      "messages",
    ),
  }),
  like(4, "/v1/chat/completions"),
  like(8, "/any/some-model/chat", { base: "/any/{model}/chat" }),
  {
    type: 11,
    model: "PaLM-2",
    folder: "palm",
    problem: requires("/v1beta2/models/chat-bison-001:generateMessage", { "x-goog-api-key": KEY }, "prompt"),
  },
  {
    type: 14,
    model: "claude-sonnet-4-5-20250929",
    folder: "anthropic",
    problem: requires("/v1/messages", { "x-api-key": KEY, "anthropic-version": "2023-06-01" }, "max_tokens"),
  },
  {
    type: 15,
    model: "ERNIE-4.0-8K",
    folder: "baidu",
    key: "client|secret",
    aside: baiduToken,
    problem: requires(
      "/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro?access_token=24.token",
      {},
      "messages",
    ),
  },
  { type: 16, model: "chatglm_turbo", folder: "zhipu-v3", key: "the-id.the-secret", problem: zhipuProblem },
  like(17, "/compatible-mode/v1/chat/completions"),
  {
    type: 18,
    model: "SparkDesk-v3.5",
    folder: "iflytek",
    key: "app-id|api-secret|api-key",
    scheme: "ws",
    problem: iflytekProblem,
  },
  like(19, "/v1/chat/completions"),
  like(20, "/api/v1/chat/completions", { base: "/api" }),
  {
    type: 21,
    model: "some-model",
    folder: "ai-proxy",
    other: "library",
    problem: requires("/api/library/ask", bearer, "libraryId"),
  },
  like(22, "/api/openapi/v1/chat/completions", { base: "/api/openapi" }),
  { type: 23, model: "hunyuan-pro", folder: "tencent", key: "app|secret-id|the-secret-key", problem: tencentProblem },
  {
    type: 24,
    model: "gemini-2.5-flash",
    folder: "gemini",
    problem: eitherPath(
      `${GEMINI}:generateContent`,
      `${GEMINI}:streamGenerateContent?alt=sse`,
      { "x-goog-api-key": KEY },
      "contents",
    ),
  },
  like(25, "/v1/chat/completions"),
  like(26, "/api/paas/v4/chat/completions"),
  like(27, "/chat/completions"),
  like(31, "/v1/chat/completions"),
  { type: 33, model: "claude-sonnet-4-5-20250929", folder: "bedrock", key: BEDROCK_KEY, problem: bedrockProblem },
  { type: 34, model: "command-r-plus", folder: "cohere", problem: requires("/v2/chat", bearer, "messages") },
  like(35, "/v1/text/chatcompletion_v2"),
  { type: 37, model: "some-model", folder: "dify", problem: requires("/v1/chat-messages", bearer, "query") },
  like(39, "/client/v4/accounts/an-account/ai/v1/chat/completions", { other: "an-account" }),
  like(40, "/v1/chat/completions"),
  vertex(
    "gemini",
    "gemini-2.5-flash",
    [
      `${PLACE}/google/models/gemini-2.5-flash:generateContent`,
      `${PLACE}/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse`,
    ],
    "contents",
  ),
  vertex(
    "anthropic",
    "claude-sonnet-4-5-20250929",
    [
      `${PLACE}/anthropic/models/claude-sonnet-4-5@20250929:rawPredict`,
      `${PLACE}/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict?alt=sse`,
    ],
    "anthropic_version",
  ),
  vertex(
    "openai",
    "meta/llama-4-maas",
    ["/v1beta1/projects/a-project/locations/europe-west1/endpoints/openapi/chat/completions", ""],
    "messages",
  ),
  like(42, "/v1/chat/completions"),
  like(43, "/chat/completions"),
  like(45, "/api/v3/chat/completions"),
  like(46, "/v2/chat/completions"),
  like(47, "/v1/chat/completions"),
  like(48, "/v1/chat/completions"),
  like(49, "/chat/completions"),
];

function bedrockProblem({ target, headers, text, body }: SentRequest): string | undefined {
  const pattern = new RegExp(`^/model/[^/]+claude-sonnet-4-5[^/]+/invoke(-with-response-stream)?$`);
  if (!pattern.test(target)) return `the path is ${target} (${AWS_ACCOUNT.region})`;
  if (body["anthropic_version"] !== "bedrock-2023-05-31" || body["model"] !== undefined) return "the body is wrong";
  const request = { path: target, query: new URLSearchParams(), headers, body, target, bytes: Buffer.from(text) };
  return awsSignatureProblem(request);
}
