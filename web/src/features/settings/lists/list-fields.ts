import { text } from "../../../lib/text/i18n-source.ts";
import type { SettingField } from "../section/setting-panel.ts";

export const GROUP_FIELDS: readonly SettingField[] = [
  {
    key: "GroupRatio",
    label: text("分组倍率"),
    help: text("分组名对应的价格倍率，例如 1 是原价，0.8 是八折。"),
    rows: 6,
  },
  {
    key: "UserUsableGroups",
    label: text("用户可选分组"),
    help: text("用户新建令牌时可以选择的分组和它们的说明。"),
    rows: 6,
  },
  {
    key: "GroupGroupRatio",
    label: text("分组的特殊倍率"),
    help: text("某个分组的用户使用另一个分组时，用这里的倍率代替分组倍率：外层是用户的分组，里层是使用的分组。"),
    rows: 6,
  },
];

export const CHATS: SettingField = {
  key: "Chats",
  label: text("聊天链接"),
  help: text("数组，每项是一个名称和一个地址。地址里的 {key} 和 {address} 会换成用户的令牌和本站的地址。"),
  rows: 8,
};
export const CHAT_FIELDS: readonly SettingField[] = [CHATS];
