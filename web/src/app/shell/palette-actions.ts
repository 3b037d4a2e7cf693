import type { Channel } from "@turnpike/contract/api/channels/channel";
import { useNavigate } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { Ban, CircleCheck, Coins, Languages, LogOut, Monitor, Moon, Plus, Sparkles, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isChannelOn, switchChannel } from "../../domain/channels/switch-channel.ts";
import { signOut } from "../../lib/session/account.ts";
import { currentLanguage, setLanguage } from "../../lib/text/i18n.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { type Theme, THEMES, useTheme } from "../../lib/theme.ts";
import { notifyError } from "../../lib/toast.ts";
import type { PaletteItem } from "./palette-item.ts";

const LINKS = [
  { name: text("新建令牌"), to: "/app/tokens/new", icon: Plus, admin: false },
  { name: text("新建渠道"), to: "/admin/channels/new", icon: Plus, admin: true },
  { name: text("新建用户"), to: "/admin/users/new", icon: Plus, admin: true },
  { name: text("打开设置向导"), to: "/admin/start", icon: Sparkles, admin: true },
] as const;

const THEME_NAMES: Readonly<Record<Theme, string>> = {
  light: text("使用浅色主题"),
  dark: text("使用深色主题"),
  system: text("主题跟随系统"),
};
const THEME_ICONS = { light: Sun, dark: Moon, system: Monitor } as const;

/** The channels and users of a search that have an action of their own: the best matches. */
const OBJECTS_MAX = 3;

/** What can be done from anywhere: pages that create, the set-up wizard, theme, language, sign-out. */
export function usePaletteActions(admin: boolean): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { theme, setTheme } = useTheme();
  const links = LINKS.filter((link) => admin || !link.admin).map(({ name, to, icon }): PaletteItem => {
    return { key: `action ${to}`, name: t(name), icon, to: { to } };
  });
  const themes = THEMES.filter((one) => one !== theme).map((one): PaletteItem => {
    return { key: `theme ${one}`, name: t(THEME_NAMES[one]), icon: THEME_ICONS[one], run: () => setTheme(one) };
  });
  const other = currentLanguage() === "zh" ? "en" : "zh";
  return [
    ...links,
    ...themes,
    {
      key: "language",
      // Found by a reader of the other language too.
      name: other === "en" ? "English" : "\u4e2d\u6587",
      note: t("切换语言"),
      icon: Languages,
      run: () => void setLanguage(other).catch(notifyError),
    },
    {
      key: "sign out",
      name: t("退出登录"),
      icon: LogOut,
      run: () => void signOut().then(() => navigate({ to: "/login" }), notifyError),
    },
  ];
}

/** Disables or enables a found channel. */
export const toChannelActions = (channels: readonly Channel[], t: TFunction): readonly PaletteItem[] =>
  channels.slice(0, OBJECTS_MAX).map((channel) => {
    const on = isChannelOn(channel);
    const { id, name } = channel;
    return {
      key: `switch ${id}`,
      name: on ? t("禁用渠道“{{name}}”", { name }) : t("启用渠道“{{name}}”", { name }),
      note: `#${id}`,
      icon: on ? Ban : CircleCheck,
      run: () => void switchChannel(channel),
    };
  });

type FoundUser = { readonly id: number; readonly name: string };

/** Tops up a found user. */
export const toUserActions = (users: readonly FoundUser[], t: TFunction): readonly PaletteItem[] =>
  users.slice(0, OBJECTS_MAX).map(({ id, name }) => ({
    key: `quota ${id}`,
    name: t("调整“{{name}}”的额度", { name }),
    note: `#${id}`,
    icon: Coins,
    to: { to: "/admin/users", search: { quota: id } },
  }));
