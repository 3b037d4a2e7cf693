import { CHANNEL_TYPES } from "../../services/contract/src/api/channels/channel-types.ts";
import { code, page, table } from "./markdown.ts";

type Key = { readonly key: string; readonly from: string; readonly note?: string };

/** What the key of each channel type looks like and where its owner gets it. */
export const PROVIDER_KEYS: Readonly<Record<number, Key>> = {
  1: { key: "sk-proj-…", from: "platform.openai.com → API keys" },
  14: { key: "sk-ant-api03-…", from: "console.anthropic.com → API keys" },
  24: { key: "AIza…", from: "aistudio.google.com → Get API key" },
  3: {
    key: "32 or 84 characters",
    from: "portal.azure.com → your Azure OpenAI resource → Keys and Endpoint",
    note: "The address is the resource's endpoint; models are called by deployment name.",
  },
  33: {
    key: "Access Key|Secret Key|region, or API key|region",
    from: "AWS console → IAM, or Bedrock → API keys",
    note: "The account must have access to the models in that region.",
  },
  41: {
    key: "the JSON key file of a service account",
    from: "console.cloud.google.com → IAM → Service accounts → Keys",
    note: "The role Vertex AI User; the region is a field of its own.",
  },
  43: { key: "sk-…", from: "platform.deepseek.com → API keys" },
  20: { key: "sk-or-v1-…", from: "openrouter.ai → Keys" },
  17: { key: "sk-…", from: "Alibaba Cloud Model Studio (bailian.console.aliyun.com) → API key" },
  45: {
    key: "a UUID",
    from: "console.volcengine.com/ark → API key",
    note: "Models are called by name or by endpoint id (ep-…).",
  },
  26: { key: "id.secret", from: "open.bigmodel.cn → API keys" },
  25: {
    key: "sk-…",
    from: "platform.moonshot.cn → API keys",
    note: "Accounts of platform.moonshot.ai need its address.",
  },
  40: { key: "sk-…", from: "cloud.siliconflow.cn → API keys" },
  35: {
    key: "a long token that begins with eyJ",
    from: "platform.minimaxi.com → API keys",
    note: "Speech of early accounts also needs the group id.",
  },
  46: { key: "bce-v3/ALTAK-…, or key|App ID", from: "console.bce.baidu.com/iam → API keys" },
  23: { key: "App ID|Secret ID|Secret Key", from: "console.cloud.tencent.com/cam/capi" },
  18: { key: "APPID|API Secret|API Key", from: "console.xfyun.cn → your application" },
  42: { key: "32 characters", from: "console.mistral.ai → API keys" },
  48: { key: "xai-…", from: "console.x.ai → API keys" },
  34: { key: "40 characters", from: "dashboard.cohere.com → API keys" },
  27: { key: "pplx-…", from: "perplexity.ai → Settings → API" },
  49: {
    key: "github_pat_… or ghp_…",
    from: "github.com → Settings → Developer settings → Tokens",
    note: "The permission Models: read.",
  },
  39: {
    key: "an API token",
    from: "dash.cloudflare.com → My profile → API tokens (Workers AI)",
    note: "The account id is a field of its own.",
  },
  4: {
    key: "any text",
    from: "none: your own server",
    note: "A private address must be in PRIVATE_ADDRESS_ALLOWLIST where the environment requires it.",
  },
  47: { key: "any text, or the server's key", from: "your own server" },
  38: { key: "jina_…", from: "jina.ai → API" },
  44: { key: "as the provider issued it", from: "the provider" },
  37: { key: "app-…", from: "your Dify application → API access" },
  22: { key: "fastgpt-…", from: "your FastGPT application → API access" },
  21: { key: "as the provider issued it", from: "the provider", note: "The knowledge base is a field of its own." },
  19: { key: "fk…", from: "ai.360.com → API" },
  31: { key: "32 characters", from: "platform.lingyiwanwu.com → API keys" },
  15: {
    key: "API Key|Secret Key",
    from: "console.bce.baidu.com/qianfan → your application",
    note: "An old interface: new accounts use Baidu Qianfan v2.",
  },
  16: {
    key: "id.secret",
    from: "open.bigmodel.cn → API keys",
    note: "An old interface: new channels use Zhipu GLM v4.",
  },
  11: { key: "AIza…", from: "aistudio.google.com", note: "An old interface: new channels use Google Gemini." },
  2: { key: "the proxy's secret", from: "your own midjourney-proxy" },
  5: { key: "the proxy's secret", from: "your own midjourney-proxy-plus" },
  36: { key: "the proxy's key", from: "your own Suno proxy" },
  8: {
    key: "as the server expects it",
    from: "any server with an OpenAI-compatible API",
    note: "The address is complete, such as https://host/v1/chat/completions.",
  },
};

/** Every channel type. */
export function createProvidersPage(): string {
  const rows = CHANNEL_TYPES.map(({ id, name, baseUrl }) => {
    const { key = "", from = "", note = "" } = PROVIDER_KEYS[id] ?? {};
    return [
      String(id),
      name === "自定义" ? "Custom" : name,
      code(key),
      from,
      baseUrl === "" ? "enter your own" : code(baseUrl),
      note,
    ];
  });
  return page(
    "Channel types",
    "What the key of each provider looks like and where its owner gets it. Several keys go on lines of their own: each call uses one, and a refused key can be disabled without the others.",
    table(["Type", "Provider", "Key", "Where to get it", "Default address", "Note"], rows),
  );
}
