import { AppError } from "@turnpike/shared/errors/app-error";
import { type MailContent, type MailParts, writeMail } from "./mail-text.ts";

export type TemplateName =
  | "verification_code"
  | "password_reset"
  | "quota_warning"
  | "channel_notice"
  | "channels_tested"
  | "below_cost"
  | "catalogue_proposed"
  | "provider_reports"
  | "test";
/** "both": Chinese, then English, for readers whose language is unknown. */
export type MailLanguage = "zh" | "en" | "both";
export type Params = Readonly<Record<string, string>>;

type Values<Name extends string> = Readonly<Record<Name, string>>;
type Template<Name extends string> = {
  readonly needs: readonly Name[];
  readonly zh: (values: Values<Name | "system_name">) => MailParts;
  readonly en: (values: Values<Name | "system_name">) => MailParts;
};

const template = <Name extends string>(parts: Template<Name>): Template<Name> => parts;
const paragraph = (text: string) => ({ kind: "paragraph", text }) as const;

const TEMPLATES = {
  verification_code: template({
    needs: ["code", "minutes"],
    zh: ({ code, minutes, system_name: site }) => ({
      subject: `${site} 邮箱验证码`,
      blocks: [
        paragraph(`您好，您正在进行 ${site} 邮箱验证。您的验证码为：`),
        { kind: "code", text: code },
        paragraph(`验证码 ${minutes} 分钟内有效。如果不是本人操作，请忽略此邮件。`),
      ],
    }),
    en: ({ code, minutes, system_name: site }) => ({
      subject: `${site} verification code`,
      blocks: [
        paragraph(`Use this code to verify your e-mail address at ${site}:`),
        { kind: "code", text: code },
        paragraph(`The code is valid for ${minutes} minutes. If you did not request it, ignore this mail.`),
      ],
    }),
  }),
  password_reset: template({
    needs: ["link", "minutes"],
    zh: ({ link, minutes, system_name: site }) => ({
      subject: `${site} 密码重置`,
      blocks: [
        paragraph(`您好，您正在进行 ${site} 密码重置。`),
        { kind: "link", text: "点击此处重置密码", href: link },
        paragraph(`重置链接 ${minutes} 分钟内有效。如果不是本人操作，请忽略此邮件。`),
      ],
    }),
    en: ({ link, minutes, system_name: site }) => ({
      subject: `${site} password reset`,
      blocks: [
        paragraph(`A password reset was requested for your account at ${site}.`),
        { kind: "link", text: "Reset the password", href: link },
        paragraph(`The link is valid for ${minutes} minutes. If you did not request it, ignore this mail.`),
      ],
    }),
  }),
  quota_warning: template({
    needs: ["username", "balance", "threshold", "link"],
    zh: ({ username, balance, threshold, link, system_name: site }) => ({
      subject: `${site} 额度预警`,
      blocks: [
        paragraph(`${username}，您好。您的额度即将用尽，为了不影响您的使用，请及时充值。`),
        {
          kind: "facts",
          rows: [
            ["当前剩余额度", balance],
            ["预警阈值", threshold],
          ],
        },
        ...(link === "" ? [] : [{ kind: "link", text: "充值", href: link } as const]),
      ],
    }),
    en: ({ username, balance, threshold, link, system_name: site }) => ({
      subject: `${site} low balance`,
      blocks: [
        paragraph(`Hello ${username}, your balance is running low. Top up in time to keep your calls going.`),
        {
          kind: "facts",
          rows: [
            ["Balance", balance],
            ["Your warning threshold", threshold],
          ],
        },
        ...(link === "" ? [] : [{ kind: "link", text: "Top up", href: link } as const]),
      ],
    }),
  }),
  channel_notice: template({
    needs: ["channel_id", "channel_name", "event", "reason"],
    zh: ({ channel_id: id, channel_name: name, event, reason, system_name: site }) => ({
      subject: `${site} 渠道「${name}」（#${id}）${event === "enabled" ? "已被启用" : "已被禁用"}`,
      blocks: [
        paragraph(`渠道「${name}」（#${id}）${event === "enabled" ? "已被自动启用。" : "已被自动禁用。"}`),
        ...(reason === "" ? [] : [{ kind: "facts", rows: [["原因", reason]] } as const]),
      ],
    }),
    en: ({ channel_id: id, channel_name: name, event, reason, system_name: site }) => ({
      subject: `${site} channel "${name}" (#${id}) was ${event === "enabled" ? "enabled" : "disabled"}`,
      blocks: [
        paragraph(`The channel "${name}" (#${id}) was ${event === "enabled" ? "enabled" : "disabled"} automatically.`),
        ...(reason === "" ? [] : [{ kind: "facts", rows: [["Reason", reason]] } as const]),
      ],
    }),
  }),
  channels_tested: template({
    needs: ["tested", "failed", "disabled", "enabled"],
    zh: ({ tested, failed, disabled, enabled, system_name: site }) => ({
      subject: `${site} 渠道测试完成`,
      blocks: [
        paragraph("所有渠道的测试已完成。"),
        {
          kind: "facts",
          rows: [
            ["已测试", tested],
            ["失败", failed],
            ["自动禁用", disabled],
            ["自动启用", enabled],
          ],
        },
      ],
    }),
    en: ({ tested, failed, disabled, enabled, system_name: site }) => ({
      subject: `${site} channel test finished`,
      blocks: [
        paragraph("The test of all channels is finished."),
        {
          kind: "facts",
          rows: [
            ["Tested", tested],
            ["Failed", failed],
            ["Disabled", disabled],
            ["Enabled", enabled],
          ],
        },
      ],
    }),
  }),
  provider_reports: template({
    needs: ["total", "items"],
    zh: ({ total, items, system_name: site }) => ({
      subject: `${site} 有 ${total} 份上游账单与日志不符或无法获取`,
      blocks: [paragraph("以下日期的上游账单与日志不符，或多次无法获取；原因见各渠道的账单页："), paragraph(items)],
    }),
    en: ({ total, items, system_name: site }) => ({
      subject: `${site}: ${total} provider reports differ or cannot be fetched`,
      blocks: [
        paragraph(
          "On these days the provider's report differs from the log, or could not be fetched several times. The report page of each channel explains why:",
        ),
        paragraph(items),
      ],
    }),
  }),
  payment_mismatch: template({
    needs: ["trade_no", "username", "expected", "received"],
    zh: ({ trade_no: tradeNo, username, expected, received, system_name: site }) => ({
      subject: `${site} 收到一笔与订单不符的付款`,
      blocks: [
        paragraph("付款没有到账，请在订单管理中确认到账或退回："),
        {
          kind: "facts",
          rows: [
            ["订单号", tradeNo],
            ["用户", username],
            ["应付", expected],
            ["实付", received],
          ],
        },
      ],
    }),
    en: ({ trade_no: tradeNo, username, expected, received, system_name: site }) => ({
      subject: `${site}: a payment is not as ordered`,
      blocks: [
        paragraph("The payment was not credited. Credit or return it under Orders:"),
        {
          kind: "facts",
          rows: [
            ["Order", tradeNo],
            ["User", username],
            ["Expected", expected],
            ["Received", received],
          ],
        },
      ],
    }),
  }),
  below_cost: template({
    needs: ["total", "items"],
    zh: ({ total, items, system_name: site }) => ({
      subject: `${site} 有 ${total} 个模型或渠道的售价低于成本`,
      blocks: [paragraph("以下模型或渠道自昨天（UTC）起的收费低于上游的费用："), paragraph(items)],
    }),
    en: ({ total, items, system_name: site }) => ({
      subject: `${site}: ${total} models or channels sell below cost`,
      blocks: [
        paragraph("Since yesterday (UTC), these models or channels were charged less than upstreams charge for them:"),
        paragraph(items),
      ],
    }),
  }),
  catalogue_proposed: template({
    needs: ["source", "added", "changed", "large", "applied"],
    zh: ({ source, added, changed, large, applied, system_name: site }) => ({
      subject: `${site} 价格目录有更新`,
      blocks: [
        paragraph(
          `目录 ${source}：${added} 个新价格，${changed} 个变化（其中 ${large} 个变化很大），已自动采用 ${applied} 个。`,
        ),
        paragraph("请在系统设置的模型价格中比较价格目录，选择要采用的。"),
      ],
    }),
    en: ({ source, added, changed, large, applied, system_name: site }) => ({
      subject: `${site}: the price catalogue has changed`,
      blocks: [
        paragraph(
          `Catalogue ${source}: ${added} new prices, ${changed} changed ones (${large} of them beyond the limit), ${applied} applied automatically.`,
        ),
        paragraph("Compare price catalogues under Settings, Pricing, and choose what to adopt."),
      ],
    }),
  }),
  test: template({
    needs: [],
    zh: ({ system_name: site }) => ({
      subject: `${site} 测试邮件`,
      blocks: [paragraph("收到此邮件说明邮件服务器配置正确。")],
    }),
    en: ({ system_name: site }) => ({
      subject: `${site} test mail`,
      blocks: [paragraph("The mail settings work: this message reached you.")],
    }),
  }),
} as const;

const isTemplate = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);

const VALUE_LENGTH_MAX = 2_000;

function invalid(detail: string): AppError {
  return new AppError("invalid_input", `mail template: ${detail}`, { params: { detail } });
}

const joined = (chinese: MailParts, english: MailParts): MailParts => ({
  subject: `${chinese.subject} / ${english.subject}`,
  blocks: [...chinese.blocks, paragraph("—"), ...english.blocks],
});

/**
 * A template filled with its values; throws invalid_input for an unknown template or a value that is missing or too
 * long.
 */
export function fillTemplate(name: string, language: MailLanguage, params: Params): MailParts {
  if (!isTemplate(name)) throw invalid(`template ${name.slice(0, 50)}`);
  const { needs, zh, en } = TEMPLATES[name] as Template<string>;
  const missing = [...needs, "system_name"].find((need) => params[need] === undefined);
  if (missing !== undefined) throw invalid(`params.${missing}`);
  const long = Object.entries(params).find(([, value]) => value.length > VALUE_LENGTH_MAX);
  if (long) throw invalid(`params.${long[0]}`);
  if (language === "both") return joined(zh(params as Values<string>), en(params as Values<string>));
  return (language === "en" ? en : zh)(params as Values<string>);
}

/** The same as a mail. */
export const mailFromTemplate = (name: string, language: MailLanguage, params: Params): MailContent =>
  writeMail(fillTemplate(name, language, params));
