/** Every problem that option-validation.ts reports, in both languages; `*` stands for the variable part. */
const SENTENCES: readonly (readonly [zh: string, en: string])[] = [
  ["未知的设置项", "unknown option"],
  ["必须是 true 或 false", "must be true or false"],
  ["不是合法的 JSON 字符串", "not valid JSON"],
  ["必须是 JSON 数组", "must be a JSON array"],
  ["必须是 JSON 对象", "must be a JSON object"],
  ["名称不能为空", "names must not be empty"],
  ["* 必须是不小于 0 的数字", "* must be a number of 0 or more"],
  ["* 必须是文本", "* must be text"],
  ["* 必须是只有一项的对象：名称和地址", "* must be an object with one entry: name and address"],
  [
    "* 必须是两个不小于 0 的整数：总请求数和成功请求数",
    "* must be two integers of 0 or more: all requests and successful ones",
  ],
  ["* 必须是请求头名称到文本的对象", "* must be an object of header names and texts"],
  ["* 必须是分组名称到不小于 0 的数字的对象", "* must be an object of group names and numbers of 0 or more"],
  ["* 必须是大于 0 的整数", "* must be an integer above 0"],
  ["* 重复", "* appears twice"],
  ["* 形成循环", "* is a cycle"],
  ["* 必须是 1 到 8 个模型名称的列表", "* must be a list of 1 to 8 model names"],
  [
    "* 必须是 unavailable, rate_limit, timeout, context_length, content_filter, budget 之一",
    "* must be one of unavailable, rate_limit, timeout, context_length, content_filter, budget",
  ],
  ["* 无效", "* is not valid"],
  ["* 未知的字段", "* is an unknown field"],
  ["* 不能为空", "* must not be empty"],
  ["* 必须是对象", "* must be an object"],
  ["* 必须是文本的列表", "* must be a list of texts"],
  ["* 必须是规则的列表", "* must be a list of rules"],
  ["* 必须是声明名称到值的对象", "* must be an object of claims and values"],
  ["* 必须是文本、数字、true、false 或它们的列表", "* must be a text, number, true, false or a list of these"],
  ["* 必须是 true 或 false", "* must be true or false"],
  ["* 必须是 PEM 格式的证书", "* must be a certificate in PEM format"],
  ["* 必须是 https 地址（只有内网地址可以是 http）", "* must be an https URL (http is for private addresses only)"],
  ["* user 和 user_claim 必须且只能填写一个", "* : set either user or user_claim"],
  ["* 必须是 60 到 2592000 的整数", "* must be an integer from 60 to 2592000"],
  ["* 不能超过 50 项", "* must have at most 50 entries"],
  ["* 不能超过 1000 个字符", "* must have at most 1000 characters"],
  ["* 不能超过 50000 个字符", "* must have at most 50000 characters"],
  ["请输入数字", "must be a number"],
  ["必须是整数", "must be an integer"],
  ["不能小于 *", "must be * or more"],
  ["不能大于 *", "must be * or less"],
  ["不能超过 * 个字符", "must have at most * characters"],
  ["必须是 * 之一", "must be one of *"],
  ["必须是 http 或 https 地址", "must be an http or https URL"],
  ["地址必须含有 {trace_id}", "the URL must contain {trace_id}"],
  ["地址不能带有查询参数", "the address must not contain a query"],
  ["地址不能带有用户名和密码", "the address must not contain a user name and password"],
  [
    "地址不能带有路径：本站只能部署在域名的根目录",
    "the address must not contain a path: this site is served at the root of a host only",
  ],
  [
    "必须是 http 或 https 地址、以 / 开头的路径或 base64 图片",
    "must be an http or https URL, a path that begins with / or a base64 image",
  ],
  ["* 不是有效的域名", "* is not a domain"],
  ["必须是时区名称，例如 Asia/Shanghai", "must be a time zone such as Asia/Shanghai"],
  ["* 不是有效的正则表达式", "* is not a valid regular expression"],
  ["必须是邮箱地址", "must be an e-mail address"],
  ["必须是主机名，不带协议和端口", "must be a host name without scheme and port"],
  ["无效", "not valid"],
  ["未知的字段", "unknown field"],
  ["不能为空", "must not be empty"],
  ["必须填写", "must be set"],
  ["必须是不小于 0 的数字", "must be a number of 0 or more"],
  ["必须是大于 0 的数字", "must be a number above 0"],
  ["必须是大于 0 的整数", "must be an integer above 0"],
  ["必须大于前一项", "must be above the entry before"],
  ["必须是 0 到 1000 的数字", "must be a number from 0 to 1000"],
  ["必须是其中之一：*", "must be one of *"],
  ["至少需要一项：*", "needs at least one of *"],
  ["不能超过 * 项", "must have at most * entries"],
  ["有分段或等级时必须设置", "must be set for bands and tiers"],
  ["标准等级使用规则本身的价格", "the standard tier has the prices of the rule itself"],
  ["必须是小写字母开头的名称", "must be a name that begins with a small letter"],
  ["必须是数字或按质量和尺寸的价格", "must be a number, or prices by quality and size"],
  ["只用于自有价格表", "is for an own table only"],
  ["只用于上级站点的价格表", "is for the price list of a reseller only"],
  ["不能包含 <script> 或 <style> 标签", "must not contain <script> or <style>"],
];

const PATTERNS = SENTENCES.map(([zh, en]) => {
  const [before = "", after] = zh.split("*");
  return { before, after, zh, en };
});

/** The English sentence for a message of checkOptionValue; an unknown message is returned unchanged. */
export function optionProblemInEnglish(problem: string): string {
  const exact = PATTERNS.find(({ after, zh }) => after === undefined && zh === problem);
  if (exact) return exact.en;
  const found = PATTERNS.find(
    ({ before, after }) => after !== undefined && problem.startsWith(before) && problem.endsWith(after),
  );
  if (!found) return problem;
  const named = problem.slice(found.before.length, problem.length - (found.after ?? "").length);
  return found.en.replace("*", () => named);
}
