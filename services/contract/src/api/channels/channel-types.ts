/** A channel's provider type. */
export type ChannelType = {
  readonly id: number;
  /** The provider's own name; "自定义" is a source sentence for translation, the others are names. */
  readonly name: string;
  /** The default address when the channel has none; "" for types that require an address. */
  readonly baseUrl: string;
};

/** The channel types that can be created, by wire number; the most common first. */
export const CHANNEL_TYPES: readonly ChannelType[] = [
  { id: 1, name: "OpenAI", baseUrl: "https://api.openai.com" },
  { id: 14, name: "Anthropic Claude", baseUrl: "https://api.anthropic.com" },
  { id: 24, name: "Google Gemini", baseUrl: "https://generativelanguage.googleapis.com" },
  { id: 3, name: "Azure OpenAI", baseUrl: "" },
  { id: 33, name: "AWS Bedrock Claude", baseUrl: "https://bedrock-runtime.{region}.amazonaws.com" },
  { id: 41, name: "Google Vertex AI", baseUrl: "https://{region}-aiplatform.googleapis.com" },
  { id: 43, name: "DeepSeek", baseUrl: "https://api.deepseek.com" },
  { id: 20, name: "OpenRouter", baseUrl: "https://openrouter.ai/api" },
  { id: 17, name: "Alibaba DashScope", baseUrl: "https://dashscope.aliyuncs.com" },
  { id: 45, name: "Volcengine Doubao", baseUrl: "https://ark.cn-beijing.volces.com" },
  { id: 26, name: "Zhipu GLM v4", baseUrl: "https://open.bigmodel.cn" },
  { id: 25, name: "Moonshot", baseUrl: "https://api.moonshot.cn" },
  { id: 40, name: "SiliconFlow", baseUrl: "https://api.siliconflow.cn" },
  { id: 35, name: "MiniMax", baseUrl: "https://api.minimax.chat" },
  { id: 46, name: "Baidu Qianfan v2", baseUrl: "https://qianfan.baidubce.com" },
  { id: 23, name: "Tencent Hunyuan", baseUrl: "https://hunyuan.tencentcloudapi.com" },
  { id: 18, name: "iFlytek Spark", baseUrl: "wss://spark-api.xf-yun.com" },
  { id: 42, name: "Mistral", baseUrl: "https://api.mistral.ai" },
  { id: 48, name: "xAI", baseUrl: "https://api.x.ai" },
  { id: 34, name: "Cohere", baseUrl: "https://api.cohere.ai" },
  { id: 27, name: "Perplexity", baseUrl: "https://api.perplexity.ai" },
  { id: 49, name: "GitHub Models", baseUrl: "https://models.github.ai/inference" },
  { id: 39, name: "Cloudflare Workers AI", baseUrl: "https://api.cloudflare.com" },
  { id: 4, name: "Ollama", baseUrl: "http://localhost:11434" },
  { id: 47, name: "Xinference", baseUrl: "" },
  { id: 38, name: "Jina", baseUrl: "https://api.jina.ai" },
  { id: 44, name: "Moka M3E", baseUrl: "https://api.moka.ai" },
  { id: 37, name: "Dify", baseUrl: "https://api.dify.ai" },
  { id: 22, name: "FastGPT", baseUrl: "https://fastgpt.run/api/openapi" },
  { id: 21, name: "AI Proxy Library", baseUrl: "https://api.aiproxy.io" },
  { id: 19, name: "360", baseUrl: "https://api.360.cn" },
  { id: 31, name: "01.AI", baseUrl: "https://api.lingyiwanwu.com" },
  { id: 15, name: "Baidu Wenxin v1", baseUrl: "https://aip.baidubce.com" },
  { id: 16, name: "Zhipu ChatGLM v3", baseUrl: "https://open.bigmodel.cn" },
  { id: 11, name: "Google PaLM 2", baseUrl: "https://generativelanguage.googleapis.com" },
  { id: 2, name: "Midjourney Proxy", baseUrl: "" },
  { id: 5, name: "Midjourney Proxy Plus", baseUrl: "" },
  { id: 36, name: "Suno API", baseUrl: "" },
  { id: 8, name: "自定义", baseUrl: "" },
];

/** Types of image and music task accounts: they accept tasks, and have no cheap call that could test them. */
export const TASK_CHANNEL_TYPES: ReadonlySet<number> = new Set([2, 5, 36]);

/** The type with a number, undefined for numbers that this version does not know. */
export const getChannelType = (id: number): ChannelType | undefined => CHANNEL_TYPES.find((type) => type.id === id);
