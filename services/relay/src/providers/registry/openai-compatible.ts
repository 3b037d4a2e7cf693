import { getChannelType } from "@turnpike/contract/api/channels/channel-types";
import * as responses from "../vendor-rules/response-rules.ts";
import * as balances from "../vendor-rules/balances.ts";
import { drop } from "../shared/body-rules.ts";
import { mistralEmbeddingRules, mistralRules } from "../vendor-rules/mistral-rules.ts";
import * as urls from "../vendor-rules/urls.ts";
import * as realtime from "../vendor-rules/realtime-urls.ts";
import * as rules from "../vendor-rules/request-rules.ts";
import { siliconFlowImages } from "../vendor-rules/siliconflow-images.ts";
import { aliEndpoints } from "../ali/ali-endpoints.ts";
import * as cloudflare from "../cloudflare/cloudflare-api.ts";
import { cloudflareEndpoints } from "../cloudflare/cloudflare-endpoints.ts";
import { ollamaEmbeddings } from "../embedding-vendors/ollama-embeddings.ts";
import {
  OPENAI_ENDPOINT_PATHS,
  type EndpointDifferences,
  type OpenAiCompatible,
  type OpenAiEndpoint,
} from "../formats/openai/openai-compatible.ts";
import { MODEL_STUDIO_EXTENSIONS, OPENROUTER_EXTENSIONS } from "../formats/openai/message-form.ts";
import { minimaxFailure } from "../minimax/minimax-failure.ts";
import { minimaxSpeech } from "../minimax/minimax-speech.ts";
import { xaiImageEdits } from "../xai/xai-image-edits.ts";
import { xaiImages } from "../xai/xai-images.ts";
import type { Target } from "../contract/target.ts";

const OPENAI: Omit<OpenAiCompatible, "type" | "name"> = {
  baseUrl: "https://api.openai.com",
  chatPath: "/v1/chat/completions",
  modelsPath: "/v1/models",
  isWholeUrl: false,
  supportsStreamUsage: true,
};

type Differences = Partial<Omit<OpenAiCompatible, "type" | "name" | "baseUrl">>;

/** The row of a provider whose base URL is in the contract. */
const like = (type: number, name: string, differences: Differences = {}): OpenAiCompatible => ({
  ...OPENAI,
  type,
  name,
  baseUrl: getChannelType(type)?.baseUrl ?? "",
  ...differences,
});

const EVERY = Object.keys(OPENAI_ENDPOINT_PATHS) as OpenAiEndpoint[];
const everyExcept = (...names: readonly OpenAiEndpoint[]): OpenAiEndpoint[] =>
  EVERY.filter((name) => !names.includes(name));
const EMBEDDINGS: readonly OpenAiEndpoint[] = ["openai-embeddings"];
const OPEN_MODELS: readonly OpenAiEndpoint[] = [
  "openai-embeddings",
  "openai-completions",
  "openai-images",
  "openai-speech",
  "openai-transcriptions",
  "rerank",
];

/** `encoding_format` is refused, or only floats are accepted. */
const FLOATS_ONLY: EndpointDifferences = { adaptBody: drop("encoding_format") };

/** Baidu's keys may name their application: `key|app id`. */
function baiduHeaders({ key }: Target): Readonly<Record<string, string>> {
  const [token = "", app] = key.split("|");
  return app === undefined ? {} : { authorization: `Bearer ${token}`, appid: app };
}

const openRouterHeaders = ({ settings }: Target) => ({
  "x-title": "Turnpike",
  ...(settings.siteAddress === "" ? {} : { "http-referer": settings.siteAddress }),
});

const aliHeaders = ({ other }: Target): Readonly<Record<string, string>> =>
  other.trim() === "" ? {} : { "x-dashscope-plugin": other.trim() };

const volcengineChat = (target: Target, baseUrl: string): string => {
  const base = (target.baseUrl || baseUrl).replace(/\/api\/v3$/, "");
  return `${base}/api/v3/${target.model.startsWith("bot") ? "bots/" : ""}chat/completions`;
};

/** OpenAI-compatible providers, one row each. */
export const OPENAI_COMPATIBLE: readonly OpenAiCompatible[] = [
  {
    ...OPENAI,
    type: 1,
    name: "openai",
    endpoints: EVERY,
    alwaysSendsDone: true,
    balance: balances.openAiBalance,
    realtime: realtime.nonChat,
  },
  like(3, "azure", {
    chatPath: urls.azureChat,
    modelsPath: urls.azureModels,
    hasApiKeyHeader: true,
    alwaysSendsDone: true,
    realtime: realtime.azureRealtime,
    endpoints: everyExcept("openai-moderations", "rerank"),
  }),
  like(4, "ollama", {
    requiresInlineImages: true,
    rules: rules.ollamaRules,
    endpoints: ["openai-completions"],
    ownEndpoints: ollamaEmbeddings,
  }),
  {
    ...OPENAI,
    type: 8,
    name: "custom",
    baseUrl: "",
    isWholeUrl: true,
    // Most upstreams with a custom URL support only chat; responses are served through chat.
    endpoints: everyExcept("openai-responses", "openai-compact"),
    balance: balances.openAiBalance,
    realtime: realtime.nonChat,
  },
  like(17, "ali", {
    chatPath: "/compatible-mode/v1/chat/completions",
    modelsPath: "/compatible-mode/v1/models",
    headers: aliHeaders,
    ...MODEL_STUDIO_EXTENSIONS,
    rules: rules.aliRules,
    realtime: realtime.aliRealtime,
    endpoints: EMBEDDINGS,
    endpointDifferences: { "openai-embeddings": FLOATS_ONLY },
    ownEndpoints: aliEndpoints,
  }),
  like(19, "360", {
    rules: rules.plainRules,
    endpoints: EMBEDDINGS,
    endpointDifferences: { "openai-embeddings": FLOATS_ONLY },
  }),
  like(20, "openrouter", {
    headers: openRouterHeaders,
    ...OPENROUTER_EXTENSIONS,
    balance: balances.openRouterBalance,
    endpoints: ["openai-embeddings", "openai-completions"],
  }),
  like(22, "fastgpt", {
    modelsPath: undefined,
    supportsStreamUsage: false,
    rules: rules.plainRules,
    readUsage: responses.noUsage,
    rewritesResponses: true,
  }),
  like(25, "moonshot", {
    requiresInlineImages: true,
    returnsReasoning: "given",
    rules: rules.moonshotRules,
    balance: balances.moonshotBalance,
  }),
  like(26, "zhipu", {
    chatPath: "/api/paas/v4/chat/completions",
    modelsPath: "/api/paas/v4/models",
    supportsStreamUsage: false,
    addsObjectField: true,
    rules: rules.zhipuRules,
    realtime: realtime.nonChat,
    endpoints: ["openai-embeddings", "openai-images", "openai-speech", "openai-transcriptions", "rerank"],
    endpointDifferences: { "openai-embeddings": FLOATS_ONLY, "openai-speech": { adaptBody: rules.zhipuSpeechRules } },
  }),
  like(27, "perplexity", {
    chatPath: "/chat/completions",
    modelsPath: undefined,
    supportsStreamUsage: false,
    rules: rules.perplexityRules,
    endsAtFinish: true,
  }),
  like(31, "01ai", { rules: rules.plainRules }),
  like(35, "minimax", {
    chatPath: "/v1/text/chatcompletion_v2",
    modelsPath: undefined,
    supportsStreamUsage: false,
    rules: rules.minimaxRules,
    endsAtFinish: true,
    failureInside: minimaxFailure,
    rewritesResponses: true,
    ownEndpoints: (row) => ({ "openai-speech": minimaxSpeech(row) }),
  }),
  like(39, "cloudflare", {
    chatPath: cloudflare.cloudflareChat,
    modelsPath: cloudflare.cloudflareModels,
    rules: rules.plainRules,
    parseError: cloudflare.cloudflareError,
    parseModels: cloudflare.cloudflareNames,
    endpoints: EMBEDDINGS,
    endpointDifferences: { "openai-embeddings": FLOATS_ONLY },
    ownEndpoints: cloudflareEndpoints,
  }),
  like(40, "siliconflow", {
    rules: rules.siliconFlowRules,
    balance: balances.siliconFlowBalance,
    endpoints: OPEN_MODELS,
    endpointDifferences: { "openai-images": siliconFlowImages },
  }),
  // Its reasoning models return lists of parts, which OpenAI callers do not support.
  like(42, "mistral", {
    supportsStreamUsage: false,
    rules: mistralRules,
    rewritesResponses: /^magistral/,
    endpoints: ["openai-embeddings", "openai-moderations", "openai-transcriptions"],
    endpointDifferences: { "openai-embeddings": { adaptBody: mistralEmbeddingRules } },
  }),
  like(43, "deepseek", {
    returnsReasoning: "always",
    chatPath: "/chat/completions",
    modelsPath: "/models",
    rules: rules.deepSeekRules,
    balance: balances.deepSeekBalance,
    endpoints: ["openai-completions"],
    endpointDifferences: { "openai-completions": { path: "/beta/completions" } },
  }),
  like(45, "volcengine", {
    chatPath: volcengineChat,
    modelsPath: "/api/v3/models",
    rules: rules.thinkingRules,
    endpoints: ["openai-embeddings", "openai-images", "openai-responses"],
  }),
  like(46, "baidu-v2", {
    chatPath: "/v2/chat/completions",
    modelsPath: "/v2/models",
    headers: baiduHeaders,
    rules: rules.plainRules,
    endpoints: ["openai-embeddings", "openai-images", "rerank"],
    endpointDifferences: { "openai-embeddings": FLOATS_ONLY, rerank: { path: "/rerankers" } },
  }),
  like(47, "xinference", { endpoints: OPEN_MODELS }),
  like(48, "xai", {
    rules: rules.xaiRules,
    readUsage: responses.readXaiUsage,
    realtime: realtime.nonChat,
    endpoints: ["openai-completions", "openai-images", "openai-responses"],
    endpointDifferences: { "openai-images": xaiImages },
    ownEndpoints: (row) => ({ "openai-image-edits": xaiImageEdits(row) }),
  }),
  like(49, "github", {
    chatPath: "/chat/completions",
    modelsPath: urls.githubCatalog,
    parseModels: responses.githubNames,
    endpoints: EMBEDDINGS,
  }),
];
