import { paragraph, template } from "./mail-template.ts";

/** Mails to users. */
export const USER_MAIL_TEMPLATES = {
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
