import type { SiteStatus } from "@turnpike/contract/api/status";
import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { KeyRound, type LucideIcon, ScrollText, Settings, Tag, UserRound, Waypoints } from "lucide-react";
import { useTranslation } from "react-i18next";
import { findChannelsQuery } from "../../domain/channels/channels-api.ts";
import { findTokensQuery, userModelsQuery } from "../../domain/tokens/tokens-api.ts";
import { findUsersQuery } from "../../domain/users/users-api.ts";
import type { SettingPlace } from "../../features/settings/settings-index.ts";
import { matchSettingPlaces, settingPlacesQuery } from "../../features/settings/setting-places.ts";
import { navigationGroups } from "./navigation.ts";
import { toChannelActions, toUserActions, usePaletteActions } from "./palette-actions.ts";
import type { PaletteGroup, PaletteItem } from "./palette-item.ts";

const MODELS_MAX = 8;
/** A ULID, possibly with the number of an attempt. */
const REQUEST_ID = /^[0-9a-hjkmnp-tv-z]{26}(-e\d+)?$/i;

type Named = { readonly id: number; readonly name: string };

/** Exact names first, then names that begin with the text. */
function byFit<Item extends { readonly name: string }>(items: readonly Item[], query: string): readonly Item[] {
  const key = query.toLowerCase();
  const rank = (name: string): number => (name === key ? 0 : name.startsWith(key) ? 1 : 2);
  return items.toSorted((a, b) => rank(a.name.toLowerCase()) - rank(b.name.toLowerCase()));
}

const toItems = (kind: string, to: string, icon: LucideIcon, found: readonly Named[]): readonly PaletteItem[] =>
  found.map(({ id, name }) => ({
    key: `${kind} ${id}`,
    name,
    note: `#${id}`,
    icon,
    to: { to, params: { id: String(id) } },
  }));

const toPages = (status: SiteStatus | undefined, admin: boolean, t: TFunction): readonly PaletteItem[] =>
  navigationGroups(status, admin).flatMap(({ items }) =>
    items.map(({ to, label, icon }) => ({ key: `page ${to}`, name: t(label), icon, to: { to } })),
  );

/** Items by name, note or address; all while nothing is typed. */
const findByName = (items: readonly PaletteItem[], typed: string): readonly PaletteItem[] =>
  items.filter((item) => {
    const place = "to" in item ? item.to.to : "";
    return `${item.name} ${item.note ?? ""} ${place}`.toLowerCase().includes(typed.toLowerCase());
  });

const findRequest = (query: string): readonly PaletteItem[] => {
  if (!REQUEST_ID.test(query)) return [];
  const request = query.toUpperCase().replace(/-E\d+$/, "");
  return [{ key: "request", name: request, icon: ScrollText, to: { to: "/app/logs/api-usage", search: { request } } }];
};

const findModels = (models: readonly string[], query: string): readonly PaletteItem[] => {
  const key = query.toLowerCase();
  const found = key === "" ? [] : models.filter((name) => name.toLowerCase().includes(key)).map((name) => ({ name }));
  return byFit(found, query)
    .slice(0, MODELS_MAX)
    .map(({ name }) => ({ key: `model ${name}`, name, icon: Tag, to: { to: "/pricing", search: { keyword: name } } }));
};

const findSettings = (places: readonly SettingPlace[], query: string, t: TFunction): readonly PaletteItem[] =>
  matchSettingPlaces(places, query, t).map(({ tab, section, title, label }) => ({
    key: `setting ${section} ${label ?? ""}`,
    name: t(label ?? title),
    ...(label === undefined ? {} : { note: t(title) }),
    icon: Settings,
    to: { to: "/admin/settings", search: { tab }, hash: section },
  }));

/** Everything that a text finds, in groups; channels, users and settings for administrators only. */
export function usePaletteGroups(status: SiteStatus | undefined, admin: boolean, typed: string, query: string) {
  const { t } = useTranslation();
  const hasQuery = query !== "";
  const channels = useQuery({ ...findChannelsQuery(query), enabled: admin && hasQuery });
  const tokens = useQuery({ ...findTokensQuery(query), enabled: hasQuery });
  const users = useQuery({ ...findUsersQuery(query), enabled: admin && hasQuery });
  const models = useQuery({ ...userModelsQuery, enabled: hasQuery });
  const places = useQuery({ ...settingPlacesQuery, enabled: admin && hasQuery });
  const actions = usePaletteActions(admin);
  const foundUsers = (users.data?.items ?? []).map(({ id, username }) => ({ id, name: username }));
  const named = hasQuery ? byFit(foundUsers, query) : [];
  const fitting = hasQuery ? byFit(channels.data?.items ?? [], query) : [];
  const toRows = (kind: string, to: string, icon: LucideIcon, found: readonly Named[] = []) =>
    hasQuery ? toItems(kind, to, icon, byFit(found, query)) : [];
  const groups: readonly PaletteGroup[] = [
    { heading: t("请求"), items: findRequest(query) },
    { heading: t("页面"), items: findByName(toPages(status, admin, t), typed) },
    { heading: t("用户"), items: toRows("user", "/admin/users/$id", UserRound, named) },
    { heading: t("渠道"), items: toRows("channel", "/admin/channels/$id", Waypoints, fitting) },
    { heading: t("API 令牌"), items: toRows("token", "/app/tokens/$id", KeyRound, tokens.data?.items) },
    { heading: t("模型"), items: findModels(models.data ?? [], query) },
    {
      heading: t("操作"),
      items: [...findByName(actions, typed), ...toChannelActions(fitting, t), ...toUserActions(named, t)],
    },
    { heading: t("设置"), items: findSettings(places.data ?? [], query, t) },
  ];
  const isSearching = [channels, tokens, users, models, places].some(({ isFetching }) => isFetching);
  return { groups: groups.filter(({ items }) => items.length > 0), isSearching };
}
