import { text } from "../../../lib/text/i18n-source.ts";
import type { SettingPanel } from "../section/setting-panel.ts";

export const QUOTA: SettingPanel = {
  id: "quota",
  title: text("额度设置"),
  description: text("新用户得到多少，调用前预扣多少，何时提醒。"),
  fields: [
    { key: "QuotaForNewUser", label: text("新用户额度"), help: text("注册时赠送。"), quota: true },
    {
      key: "PreConsumedQuota",
      label: text("预扣额度"),
      help: text("请求没有写明输出上限时，至少按这么多 Token 预扣，结束后多退少补。"),
    },
    {
      key: "QuotaRemindThreshold",
      label: text("额度提醒阈值"),
      help: text("余额低于它时提醒用户，最多每 2 小时一次。用户可以自己另设。"),
      quota: true,
    },
    {
      key: "StreamCacheQueueLength",
      label: text("流式缓存队列长度"),
      help: text("屏蔽词含正则表达式并检查回复时，流式回复最多暂存这么多段再发出，以便发现跨段的内容。0 为不暂存。"),
    },
  ],
};

export const INVITATION: SettingPanel = {
  id: "invitation",
  title: text("邀请与返利"),
  description: text("邀请新用户的奖励，以及被邀请人充值时的返利。"),
  fields: [
    { key: "AffEnabled", label: text("启用邀请"), help: text("在个人设置里显示邀请码和邀请链接。") },
    { key: "QuotaForInviter", label: text("邀请人奖励"), help: text("每邀请一名新用户得到的额度。"), quota: true },
    { key: "QuotaForInvitee", label: text("被邀请人奖励"), help: text("通过邀请注册得到的额度。"), quota: true },
    { key: "MinAffTransfer", label: text("最低划转额度"), help: text("邀请奖励划转到余额的下限。"), quota: true },
    {
      key: "RebateEnabled",
      label: text("启用充值返利"),
      help: text("被邀请人充值或兑换后，邀请人按比例得到额度。"),
    },
    {
      key: "RebatePercentage",
      label: text("返利比例（%）"),
      help: text("0 到 100，可以有小数。"),
      only: "RebateEnabled",
    },
  ],
};

export const CHECK_IN: SettingPanel = {
  id: "check-in",
  title: text("签到"),
  description: text("用户每天可以领取一次额度。"),
  fields: [
    { key: "CheckInEnabled", label: text("启用签到"), help: text("在个人设置里显示签到卡片。") },
    { key: "CheckInQuota", label: text("签到额度"), help: text("每次签到至少得到的额度。"), quota: true },
    {
      key: "CheckInMaxQuota",
      label: text("签到最高额度"),
      help: text("大于签到额度时，在两者之间随机；0 表示固定。"),
      quota: true,
    },
    {
      key: "CheckInTimezone",
      label: text("签到时区"),
      help: text("一天从哪个时区的零点开始，例如 Asia/Shanghai。留空为 UTC。"),
      placeholder: "UTC",
    },
  ],
};
