import { text } from "../../../lib/text/i18n-source.ts";

/** Names and help texts of the fields that only one type has; texts are source sentences. */
export type TypeFields = {
  /** The field `other`: API version, region, account and the like. */
  readonly other?: {
    readonly label: string;
    readonly help: string;
    readonly placeholder: string;
    readonly isLong?: boolean;
  };
  readonly keyHelp?: string;
  readonly keyPlaceholder?: string;
  readonly addressPlaceholder?: string;
  readonly modelsHelp?: string;
};

/** The type's key is one JSON document; commas and lines do not separate keys. */
export const VERTEX_TYPE = 41;
export const CUSTOM_TYPE = 8;
export const OPENAI_TYPE = 1;
const IFLYTEK_TYPE = 18;

/** The default of an empty `other`. */
export const OTHER_DEFAULTS: Readonly<Record<number, string>> = { [IFLYTEK_TYPE]: "v2.1" };

const FIELDS: Readonly<Record<number, TypeFields>> = {
  3: {
    other: {
      label: text("API 版本"),
      help: text("留空用 2025-04-01-preview；地址以 /openai/v1 结尾时不需要。"),
      placeholder: "2025-04-01-preview",
    },
    addressPlaceholder: "https://my-resource.openai.azure.com",
    modelsHelp: text("Azure 按部署名调用：部署名与模型名不同时，在模型重定向里把模型名换成部署名。"),
  },
  15: { keyHelp: text("格式：API Key|Secret Key。"), keyPlaceholder: "API Key|Secret Key" },
  16: { keyHelp: text("格式：ID.Secret。"), keyPlaceholder: "id.secret" },
  17: {
    other: {
      label: text("插件"),
      help: text("作为 X-DashScope-Plugin 请求头发送。默认没有。"),
      placeholder: '{"web_search":{}}',
    },
  },
  [IFLYTEK_TYPE]: {
    other: { label: text("版本"), help: text("留空用 v2.1；模型名以版本结尾时以模型名为准。"), placeholder: "v2.1" },
    keyHelp: text("格式：APPID|API Secret|API Key。"),
    keyPlaceholder: "APPID|API Secret|API Key",
  },
  21: { other: { label: text("知识库 ID"), help: text("调用时使用的知识库。"), placeholder: "123456" } },
  23: { keyHelp: text("格式：App ID|Secret ID|Secret Key。"), keyPlaceholder: "App ID|Secret ID|Secret Key" },
  24: {
    other: { label: text("API 版本"), help: text("留空按系统的 Gemini 版本设置。"), placeholder: "v1beta" },
  },
  33: {
    keyHelp: text("格式：Access Key|Secret Key|区域，或 API Key|区域。"),
    keyPlaceholder: "Access Key|Secret Key|us-east-1",
  },
  35: { other: { label: text("组 ID"), help: text("只有早期账号的语音接口需要。"), placeholder: "1987687468" } },
  39: {
    other: {
      label: text("账户 ID"),
      help: text("Cloudflare 的账户 ID；地址是 AI Gateway 时不需要。"),
      placeholder: "d6b5da8hk1awo8nap34ube6gh",
    },
  },
  [VERTEX_TYPE]: {
    other: {
      label: text("区域"),
      help: text("一个区域，或以 { 开头的 JSON：模型名到区域，default 用于其余模型。"),
      placeholder: '{\n  "default": "global",\n  "gemini-2.0-flash": "us-central1"\n}',
      isLong: true,
    },
    keyHelp: text("服务账号的 JSON 密钥文件的全部内容。"),
    keyPlaceholder: '{\n  "type": "service_account",\n  …\n}',
  },
  46: { keyHelp: text("格式：API Key，或 API Key|App ID。"), keyPlaceholder: "API Key|App ID" },
};

/** Fields that the editor shows for a type in addition to the common ones. */
export const getTypeFields = (type: number): TypeFields => FIELDS[type] ?? {};
