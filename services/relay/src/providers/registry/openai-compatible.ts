import { getChannelType } from "@turnpike/contract/api/channel-types";
import { getDefaultModels } from "@turnpike/contract/api/default-models";
import type { Json, ReportedUsage } from "../../core/chat/chat.ts";
import { OPENAI_MODELS } from "../openai/openai-models.ts";
import * as answers from "../openai-rules/answers.ts";
import * as balances from "../openai-rules/balances.ts";
import type { ReasoningReturn } from "../openai/openai-messages.ts";
import type { BodyRule } from "../openai-rules/body-rules.ts";
import { mistralRules } from "../openai-rules/mistral-rules.ts";
import * as paths from "../openai-rules/paths.ts";
import * as realtime from "../openai-rules/realtime-paths.ts";
import * as rules from "../openai-rules/vendor-rules.ts";
import type { Balance, Provider, Target } from "../contract/provider.ts";
import type { StreamFailure } from "../../core/wire/stream.ts";

/** How an OpenAI-compatible provider differs from OpenAI. */
export type OpenAiCompatible = {
  /** The channel type's number. */
  readonly type: number;
  readonly name: string;
  /** Scheme and host (and the path before the version) if the channel has no base URL. */
  readonly baseUrl: string;
  /** Appended to the base URL without repeating its ending. A function returns the whole URL. */
  readonly chatPath: string | ((target: Target, baseUrl: string) => string);
  /** The path of the model list; undefined if there is none. */
  readonly modelsPath: string | ((target: Target, baseUrl: string) => string) | undefined;
  /** The channel's base URL is the whole URL of the chat call, with `{model}` as a placeholder for the model. */
  readonly isWholeUrl: boolean;
  /** Supports `stream_options.include_usage`. */
  readonly supportsStreamUsage: boolean;
  readonly defaultModels: readonly string[];
  /** The key is sent in the header `api-key` instead of `authorization`. */
  readonly hasApiKeyHeader?: boolean;
  /** Headers besides the key, computed per channel. */
  readonly headers?: (target: Target) => Readonly<Record<string, string>>;
  /** The provider's changes to the body. */
  readonly rules?: BodyRule;
  /**
   * Requires its reasoning back in `reasoning_content`: if there was any, or for every assistant turn, if only as an
   * empty text.
   */
  readonly returnsReasoning?: ReasoningReturn;
  /** A stream is complete once a finish reason was seen: `[DONE]` is not guaranteed. */
  readonly endsAtFinish?: boolean;
  /** `[DONE]` is guaranteed: a stream without it was cut, even after its usage. */
  readonly alwaysSaysDone?: boolean;
  readonly readUsage?: (usage: unknown) => ReportedUsage;
  /** Detects a provider-specific failure inside a 200 response. */
  readonly failureInside?: (body: Json) => StreamFailure | undefined;
  /** For all models, or for those with matching names. */
  readonly rewritesResponses?: true | RegExp;
  readonly requiresInlineImages?: boolean;
  /** Responses lack the `object` field: it is added for callers of the same format. */
  readonly addsObjectField?: boolean;
  readonly parseError?: Provider["parseError"];
  readonly parseModels?: (body: unknown) => string[];
  readonly balance?: Balance;
  /** The URL of Realtime sessions with an http scheme; absent if there are none. */
  readonly realtime?: (target: Target, baseUrl: string) => string;
};

const OPENAI: Omit<OpenAiCompatible, "type" | "name"> = {
  baseUrl: "https://api.openai.com",
  chatPath: "/v1/chat/completions",
  modelsPath: "/v1/models",
  isWholeUrl: false,
  supportsStreamUsage: true,
  defaultModels: OPENAI_MODELS,
};

type Differences = Partial<Omit<OpenAiCompatible, "type" | "name" | "baseUrl" | "defaultModels">>;

/** The row of a provider whose base URL and default models are in the contract. */
const like = (type: number, name: string, differences: Differences = {}): OpenAiCompatible => ({
  ...OPENAI,
  type,
  name,
  baseUrl: getChannelType(type)?.baseUrl ?? "",
  defaultModels: getDefaultModels(type),
  ...differences,
});

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
    alwaysSaysDone: true,
    balance: balances.openAiBalance,
    realtime: realtime.nonChat,
  },
  like(3, "azure", {
    chatPath: paths.azureChat,
    modelsPath: paths.azureModels,
    hasApiKeyHeader: true,
    alwaysSaysDone: true,
    realtime: realtime.azureRealtime,
  }),
  like(4, "ollama", { requiresInlineImages: true, rules: rules.ollamaRules }),
  {
    ...OPENAI,
    type: 8,
    name: "custom",
    baseUrl: "",
    isWholeUrl: true,
    balance: balances.openAiBalance,
    realtime: realtime.nonChat,
  },
  like(17, "ali", {
    chatPath: "/compatible-mode/v1/chat/completions",
    modelsPath: "/compatible-mode/v1/models",
    headers: aliHeaders,
    rules: rules.aliRules,
    realtime: realtime.aliRealtime,
  }),
  like(19, "360", { rules: rules.plainRules }),
  like(20, "openrouter", { headers: openRouterHeaders, balance: balances.openRouterBalance }),
  like(22, "fastgpt", {
    modelsPath: undefined,
    supportsStreamUsage: false,
    rules: rules.plainRules,
    readUsage: answers.noUsage,
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
    failureInside: answers.minimaxFailure,
    rewritesResponses: true,
  }),
  like(39, "cloudflare", {
    chatPath: paths.cloudflareChat,
    modelsPath: paths.cloudflareModels,
    rules: rules.plainRules,
    parseError: answers.cloudflareError,
    parseModels: answers.cloudflareNames,
  }),
  like(40, "siliconflow", { rules: rules.siliconFlowRules, balance: balances.siliconFlowBalance }),
  // Its reasoning models return lists of parts, which OpenAI callers do not support.
  like(42, "mistral", { supportsStreamUsage: false, rules: mistralRules, rewritesResponses: /^magistral/ }),
  like(43, "deepseek", {
    returnsReasoning: "always",
    chatPath: "/chat/completions",
    modelsPath: "/models",
    rules: rules.deepSeekRules,
    balance: balances.deepSeekBalance,
  }),
  like(45, "volcengine", { chatPath: volcengineChat, modelsPath: "/api/v3/models", rules: rules.thinkingRules }),
  like(46, "baidu-v2", {
    chatPath: "/v2/chat/completions",
    modelsPath: "/v2/models",
    headers: baiduHeaders,
    rules: rules.plainRules,
  }),
  like(47, "xinference"),
  like(48, "xai", { rules: rules.xaiRules, readUsage: answers.readXaiUsage, realtime: realtime.nonChat }),
  like(49, "github", {
    chatPath: "/chat/completions",
    modelsPath: paths.githubCatalog,
    parseModels: answers.githubNames,
  }),
];
