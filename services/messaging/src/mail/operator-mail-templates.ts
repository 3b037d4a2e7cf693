import { paragraph, template } from "./mail-template.ts";

/** Mails to those who run the site. */
export const OPERATOR_MAIL_TEMPLATES = {
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
} as const;
