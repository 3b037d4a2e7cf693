import type { ShapeProblem } from "../errors/shape-problem.ts";
import { findRuleProblem } from "../pricing/rules/price-rule.ts";
import { FALLBACK_CAUSES, FALLBACKS_MAX } from "./model-routes.ts";
import { findIssuerProblem } from "./oidc-token-issuers.ts";
import type { OptionDefinition, OptionFormat } from "./option-definitions.ts";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const CREDENTIALS = "地址不能带有用户名和密码";
const hasCredentials = (text: string): boolean => {
  const { username, password } = new URL(text);
  return username !== "" || password !== "";
};
const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
function checkUrl(text: string): string | undefined {
  if (!isWebAddress(text)) return "必须是 http 或 https 地址";
  return hasCredentials(text) ? CREDENTIALS : undefined;
}
const checkBaseUrl = (text: string): string | undefined =>
  checkUrl(text) ?? (/[?#]/.test(text) ? "地址不能带有查询参数" : undefined);
/** The console and the API are served at the root of a host only. */
const checkSiteUrl = (text: string): string | undefined =>
  checkBaseUrl(text) ??
  (/^\/*$/.test(new URL(text).pathname) ? undefined : "地址不能带有路径：本站只能部署在域名的根目录");

const IMAGE_DATA = /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml|x-icon);base64,[\w+/=]+$/;
const checkImage = (text: string): string | undefined =>
  isWebAddress(text) || /^\/(?!\/)\S*$/.test(text) || IMAGE_DATA.test(text)
    ? undefined
    : "必须是 http 或 https 地址、以 / 开头的路径或 base64 图片";

const DOMAIN = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/i;

function checkDomains(text: string): string | undefined {
  const domains = text.split(",").map((domain) => domain.trim().toLowerCase());
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  if (wrong !== undefined) return `${wrong} 不是有效的域名`;
  const repeated = domains.find((domain, index) => domains.indexOf(domain) !== index);
  return repeated === undefined ? undefined : `${repeated} 重复`;
}

function checkZone(text: string): string | undefined {
  try {
    Intl.DateTimeFormat("en", { timeZone: text });
    return undefined;
  } catch {
    return "必须是时区名称，例如 Asia/Shanghai";
  }
}

const EXPRESSION = /^regex:(.*)$/i;
/** Syntax that linear-time engines do not support. */
const BEYOND_LINEAR = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;

function checkExpression(source: string): boolean {
  if (BEYOND_LINEAR.test(source)) return false;
  try {
    return source !== "" && new RegExp(source.replace(/^\(\?[a-z]+\)/, "")) instanceof RegExp;
  } catch {
    return false;
  }
}

function checkWords(text: string): string | undefined {
  const expressions = text.split("\n").flatMap((line) => EXPRESSION.exec(line.trim())?.[1]?.trim() ?? []);
  const wrong = expressions.find((source) => !checkExpression(source));
  return wrong === undefined ? undefined : `${wrong} 不是有效的正则表达式`;
}

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/;
const checkMailbox = (text: string): string | undefined =>
  ADDRESS.test(/^[^<>\r\n]*<([^<>]*)>$/.exec(text)?.[1] ?? text) ? undefined : "必须是邮箱地址";

const TEXT_CHECKS: Partial<Record<OptionFormat, (text: string) => string | undefined>> = {
  url: checkUrl,
  "trace-url": (text) => checkUrl(text) ?? (text.includes("{trace_id}") ? undefined : "地址必须含有 {trace_id}"),
  "base-url": checkBaseUrl,
  "site-url": checkSiteUrl,
  image: checkImage,
  host: (text) => (/^[a-z0-9.:_-]+$/i.test(text) ? undefined : "必须是主机名，不带协议和端口"),
  domains: checkDomains,
  zone: checkZone,
  words: checkWords,
  mailbox: checkMailbox,
  stylesheet: (text) => (/<\/?(script|style)/i.test(text) ? "不能包含 <script> 或 <style> 标签" : undefined),
};

/** The format error of a nonempty text, as a Chinese source sentence; undefined when it is valid. */
export const checkTextFormat = (format: OptionFormat, text: string): string | undefined => TEXT_CHECKS[format]?.(text);

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown): boolean => typeof value === "string";

function isChat(entry: unknown): boolean {
  const pairs = isRecord(entry) ? Object.entries(entry) : [];
  const [name, address] = pairs[0] ?? [];
  // An app's own scheme is allowed; a scheme that executes in the page is not.
  const isAddress = typeof address === "string" && /^[a-z][a-z0-9+.-]*:/i.test(address);
  return pairs.length === 1 && name !== "" && isAddress && !/^(javascript|data|vbscript):/i.test(String(address));
}

const isHeaders = (entry: unknown): boolean =>
  isRecord(entry) &&
  Object.entries(entry).every(
    ([name, value]) =>
      /^[\w!#$%&'*+.^`|~-]+$/.test(name) && (isText(value) || (Array.isArray(value) && value.every(isText))),
  );

const isRatios = (entry: unknown): boolean =>
  isRecord(entry) && Object.values(entry).every((value) => typeof value === "number" && value >= 0);

const isName = (entry: unknown): boolean => isText(entry) && entry !== "";
const isModels = (entry: unknown): boolean =>
  Array.isArray(entry) && entry.length > 0 && entry.length <= FALLBACKS_MAX && entry.every(isName);

const ENTRY_CHECKS: Partial<Record<OptionFormat, { is: (entry: unknown) => boolean; problem: string }>> = {
  name: { is: isName, problem: "必须是文本" },
  chat: { is: isChat, problem: "必须是只有一项的对象：名称和地址" },
  limit: {
    is: (entry) => Array.isArray(entry) && entry.length === 2 && entry.every(isCount),
    problem: "必须是两个不小于 0 的整数：总请求数和成功请求数",
  },
  headers: { is: isHeaders, problem: "必须是请求头名称到文本的对象" },
  ratios: { is: isRatios, problem: "必须是分组名称到不小于 0 的数字的对象" },
  models: { is: isModels, problem: `必须是 1 到 ${FALLBACKS_MAX} 个模型名称的列表` },
  "fallback-cause": {
    is: (entry) => FALLBACK_CAUSES.some((cause) => cause === entry),
    problem: `必须是 ${FALLBACK_CAUSES.join(", ")} 之一`,
  },
  count: { is: (entry) => isCount(entry) && entry !== 0, problem: "必须是大于 0 的整数" },
};

const describeAt = (name: string, problem: ShapeProblem | undefined): string | undefined =>
  problem && `${name}${problem.path} ${problem.detail}`;
const checkPriceRule = (name: string, entry: unknown): string | undefined => describeAt(name, findRuleProblem(entry));

/** The format error of one entry of a table or list; undefined when it is valid. */
export function checkEntryFormat(format: OptionFormat, name: string, entry: unknown): string | undefined {
  if (format === "price-rule") return checkPriceRule(name, entry);
  if (format === "oidc-token-issuer") return describeAt(name, findIssuerProblem(entry));
  if (format === "catalogue-rule") return entry === null ? undefined : checkPriceRule(name, entry);
  const check = ENTRY_CHECKS[format];
  return check && !check.is(entry) ? `${name} ${check.problem}` : undefined;
}

/**
 * Normalises a value for storage: addresses without trailing slashes, numbers and addresses without surrounding blanks.
 */
export function normalizeOption({ type, format }: OptionDefinition, value: string): string {
  if (type === "integer" || type === "number") return value.trim();
  if (format === "base-url" || format === "site-url") return value.trim().replace(/\/+$/, "");
  return format === "words" || format === "stylesheet" || type === "json" || format === undefined
    ? value
    : value.trim();
}
