/** Every problem that option-validation.ts reports, in both languages; `*` stands for the part that varies. */
const SENTENCES: readonly (readonly [zh: string, en: string])[] = [
  ["未知的设置项", "unknown option"],
  ["必须是 true 或 false", "must be true or false"],
  ["不是合法的 JSON 字符串", "not valid JSON"],
  ["必须是 JSON 数组", "must be a JSON array"],
  ["必须是 JSON 对象", "must be a JSON object"],
  ["名称不能为空", "names must not be empty"],
  ["* 必须是不小于 0 的数字", "* must be a number of 0 or more"],
  ["* 必须是文本", "* must be text"],
  ["* 必须是只有一项的对象：名称和地址", "* must be an object of one entry: name and address"],
  [
    "* 必须是两个不小于 0 的整数：总请求数和成功请求数",
    "* must be two whole numbers of 0 or more: all requests and successful ones",
  ],
  ["* 必须是请求头名称到文本的对象", "* must be an object of header names and texts"],
  ["* 必须是分组名称到不小于 0 的数字的对象", "* must be an object of group names and numbers of 0 or more"],
  ["* 必须是大于 0 的整数", "* must be a whole number above 0"],
  ["* 重复", "* appears twice"],
  ["请输入数字", "must be a number"],
  ["必须是整数", "must be a whole number"],
  ["不能小于 *", "must be * or more"],
  ["不能大于 *", "must be * or less"],
  ["不能超过 * 个字符", "must have at most * characters"],
  ["必须是 * 之一", "must be one of *"],
  ["必须是 http 或 https 地址", "must be an http or https URL"],
  ["地址不能带有查询参数", "the address must not carry a query"],
  [
    "必须是 http 或 https 地址、以 / 开头的路径或 base64 图片",
    "must be an http or https URL, a path that begins with / or a base64 image",
  ],
  ["* 不是有效的域名", "* is not a domain"],
  ["必须是时区名称，例如 Asia/Shanghai", "must be a time zone such as Asia/Shanghai"],
  ["* 不是有效的正则表达式", "* is not a valid regular expression"],
  ["必须是邮箱地址", "must be an e-mail address"],
  ["必须是主机名，不带协议和端口", "must be a host name without scheme and port"],
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
