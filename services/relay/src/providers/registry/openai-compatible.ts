import { getChannelType } from "@turnpike/contract/api/channel-types";
import { getDefaultModels } from "@turnpike/contract/api/default-models";
import type { Json, ReportedUsage } from "../../core/chat/chat.ts";
import { OPENAI_MODELS } from "../openai/openai-models.ts";
import * as answers from "../openai-rules/answers.ts";
import * as balances from "../openai-rules/balances.ts";
import type { WantedThoughts } from "../openai/openai-messages.ts";
import type { BodyRule } from "../openai-rules/body-rules.ts";
import { mistralRules } from "../openai-rules/mistral-rules.ts";
import * as paths from "../openai-rules/paths.ts";
import * as realtime from "../openai-rules/realtime-paths.ts";
import * as rules from "../openai-rules/vendor-rules.ts";
import type { Balance, Provider, Target } from "../contract/provider.ts";
import type { StreamFailure } from "../../core/wire/stream.ts";

/** How one provider that speaks OpenAI's format differs from OpenAI. */
export type OpenAiLike = {
  /** The channel type's number. */
  readonly type: number;
  readonly name: string;
  /** Scheme and host (and what stands before the version) when the channel names no address. */
  readonly baseUrl: string;
  /** Behind the base URL; what the base URL already ends in is not given twice. A function writes the whole address. */
  readonly chatPath: string | ((target: Target, baseUrl: string) => string);
  /** The same for the model list, undefined where there is none. */
  readonly modelsPath: string | ((target: Target, baseUrl: string) => string) | undefined;
  /** The channel's address is the whole URL of the chat call, with `{model}` standing for the model. */
  readonly isWholeUrl: boolean;
  /** Takes `stream_options.include_usage`. */
  readonly asksUsage: boolean;
  readonly defaultModels: readonly string[];
  /** The key goes into the header `api-key` instead of `authorization`. */
  readonly hasApiKeyHeader?: boolean;
  /** Headers beside the key, worked out per channel. */
  readonly headers?: (target: Target) => Readonly<Record<string, string>>;
  /** What the provider wants otherwise in the body. */
  readonly rules?: BodyRule;
  /** Wants its thoughts back in `reasoning_content`: where there were any, or of every answer, if only an empty text. */
  readonly wantsThoughts?: WantedThoughts;
  /** A stream is whole once a finish reason was seen: no `[DONE]` is promised. */
  readonly endsAtFinish?: boolean;
  /** `[DONE]` is never left out: a stream without it was cut, even behind its usage. */
  readonly alwaysSaysDone?: boolean;
  readonly readUsage?: (usage: unknown) => ReportedUsage;
  /** A failure that stands inside a 200 answer in the provider's own way. */
  readonly failureInside?: (body: Json) => StreamFailure | undefined;
  /** Of all models, or of those with such names. */
  readonly rewritesAnswers?: true | RegExp;
  readonly inlinesImages?: boolean;
  /** Answers do not say what they are: they are told to callers of the same format. */
  readonly namesAnswers?: boolean;
  readonly parseError?: Provider["parseError"];
  readonly parseModels?: (body: unknown) => string[];
  readonly balance?: Balance;
  /** The address of live conversations as if it were HTTP; absent where there are none. */
  readonly realtime?: (target: Target, baseUrl: string) => string;
};

const OPENAI: Omit<OpenAiLike, "type" | "name"> = {
  baseUrl: "https://api.openai.com",
  chatPath: "/v1/chat/completions",
  modelsPath: "/v1/models",
  isWholeUrl: false,
  asksUsage: true,
  defaultModels: OPENAI_MODELS,
};

type Differences = Partial<Omit<OpenAiLike, "type" | "name" | "baseUrl" | "defaultModels">>;

/** A row of a provider whose address and default models stand in the contract. */
const like = (type: number, name: string, differences: Differences = {}): OpenAiLike => ({
  ...OPENAI,
  type,
  name,
  baseUrl: getChannelType(type)?.baseUrl ?? "",
  defaultModels: getDefaultModels(type),
  ...differences,
});

/** Baidu's keys may name the application they belong to: `key|app id`. */
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

/** Providers of OpenAI's format, one row each. */
export const OPENAI_LIKES: readonly OpenAiLike[] = [
  {
    ...OPENAI,
    type: 1,
    name: "openai",
    alwaysSaysDone: true,
    balance: balances.openAiBalance,
    realtime: realtime.besideChat,
  },
  like(3, "azure", {
    chatPath: paths.azureChat,
    modelsPath: paths.azureModels,
    hasApiKeyHeader: true,
    alwaysSaysDone: true,
    realtime: realtime.azureRealtime,
  }),
  like(4, "ollama", { inlinesImages: true, rules: rules.ollamaRules }),
  {
    ...OPENAI,
    type: 8,
    name: "custom",
    baseUrl: "",
    isWholeUrl: true,
    balance: balances.openAiBalance,
    realtime: realtime.besideChat,
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
    asksUsage: false,
    rules: rules.plainRules,
    readUsage: answers.noUsage,
    rewritesAnswers: true,
  }),
  like(25, "moonshot", {
    inlinesImages: true,
    wantsThoughts: "given",
    rules: rules.moonshotRules,
    balance: balances.moonshotBalance,
  }),
  like(26, "zhipu", {
    chatPath: "/api/paas/v4/chat/completions",
    modelsPath: "/api/paas/v4/models",
    asksUsage: false,
    namesAnswers: true,
    rules: rules.zhipuRules,
    realtime: realtime.besideChat,
  }),
  like(27, "perplexity", {
    chatPath: "/chat/completions",
    modelsPath: undefined,
    asksUsage: false,
    rules: rules.perplexityRules,
    endsAtFinish: true,
  }),
  like(31, "01ai", { rules: rules.plainRules }),
  like(35, "minimax", {
    chatPath: "/v1/text/chatcompletion_v2",
    modelsPath: undefined,
    asksUsage: false,
    rules: rules.minimaxRules,
    endsAtFinish: true,
    failureInside: answers.minimaxFailure,
    rewritesAnswers: true,
  }),
  like(39, "cloudflare", {
    chatPath: paths.cloudflareChat,
    modelsPath: paths.cloudflareModels,
    rules: rules.plainRules,
    parseError: answers.cloudflareError,
    parseModels: answers.cloudflareNames,
  }),
  like(40, "siliconflow", { rules: rules.siliconFlowRules, balance: balances.siliconFlowBalance }),
  // Its reasoning models answer in lists of parts, which OpenAI's callers do not know.
  like(42, "mistral", { asksUsage: false, rules: mistralRules, rewritesAnswers: /^magistral/ }),
  like(43, "deepseek", {
    wantsThoughts: "always",
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
  like(48, "xai", { rules: rules.xaiRules, readUsage: answers.readXaiUsage, realtime: realtime.besideChat }),
  like(49, "github", {
    chatPath: "/chat/completions",
    modelsPath: paths.githubCatalog,
    parseModels: answers.githubNames,
  }),
];
