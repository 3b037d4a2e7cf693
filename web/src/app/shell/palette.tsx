import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { KeyRound, UserRound, Waypoints } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  Command,
  CommandDialog,
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
  CommandShortcut,
} from "../../components/ui/command.tsx";
import { findChannelsQuery } from "../../domain/channels/channels-api.ts";
import { findTokensQuery } from "../../domain/tokens/tokens-api.ts";
import { findUsersQuery } from "../../domain/users/users-api.ts";
import { useDebounced } from "../../hooks/use-debounced.ts";
import { useIsAdmin } from "../../lib/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { navigationGroups } from "./navigation.ts";
import { usePalette } from "./palette-state.ts";

const SEARCH_DELAY_MS = 200;

/** Finds pages, channels, users and tokens by name or id. */
export function Palette() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const setOpen = usePalette((state) => state.setOpen);
  const admin = useIsAdmin();
  const status = useSiteStatus();
  const [input, setInput] = useState("");
  const wanted = useDebounced(input.trim(), SEARCH_DELAY_MS);
  const channels = useQuery({ ...findChannelsQuery(wanted), enabled: admin && wanted !== "" });
  const tokens = useQuery({ ...findTokensQuery(wanted), enabled: wanted !== "" });
  const users = useQuery({ ...findUsersQuery(wanted), enabled: admin && wanted !== "" });
  const go = (to: string, params: Record<string, string> = {}): void => {
    setOpen(false);
    void navigate({ to, params: params as never });
  };
  const pages = navigationGroups(status, admin)
    .flatMap((group) => group.items)
    .filter(({ label, to }) => `${t(label)} ${to}`.toLowerCase().includes(input.trim().toLowerCase()));
  return (
    <CommandDialog
      open
      onOpenChange={setOpen}
      title={t("搜索页面、渠道、用户和令牌")}
      description={t("输入名称或 ID，用方向键选择，回车打开")}
      className="top-[15vh] max-w-xl translate-y-0"
    >
      <Command shouldFilter={false} label={t("搜索页面、渠道、用户和令牌")}>
        <CommandInput value={input} onValueChange={setInput} placeholder={t("输入页面、渠道、用户或令牌的名称或 ID")} />
        <CommandList>
          <CommandEmpty>
            {channels.isFetching || tokens.isFetching || users.isFetching ? t("搜索中…") : t("没有找到。")}
          </CommandEmpty>
          {pages.length > 0 && (
            <CommandGroup heading={t("页面")}>
              {pages.map(({ to, label, icon: Icon }) => (
                <CommandItem key={to} value={`page ${to}`} onSelect={() => go(to)}>
                  <Icon aria-hidden />
                  {t(label)}
                </CommandItem>
              ))}
            </CommandGroup>
          )}
          {channels.data && channels.data.items.length > 0 && (
            <CommandGroup heading={t("渠道")}>
              {channels.data.items.map(({ id, name }) => (
                <CommandItem
                  key={id}
                  value={`channel ${id}`}
                  onSelect={() => go("/admin/channels/$id", { id: String(id) })}
                >
                  <Waypoints aria-hidden />
                  <span className="truncate">{name}</span>
                  <CommandShortcut>#{id}</CommandShortcut>
                </CommandItem>
              ))}
            </CommandGroup>
          )}
          {tokens.data && tokens.data.items.length > 0 && (
            <CommandGroup heading={t("API 令牌")}>
              {tokens.data.items.map(({ id, name }) => (
                <CommandItem key={id} value={`token ${id}`} onSelect={() => go("/app/tokens/$id", { id: String(id) })}>
                  <KeyRound aria-hidden />
                  <span className="truncate">{name}</span>
                  <CommandShortcut>#{id}</CommandShortcut>
                </CommandItem>
              ))}
            </CommandGroup>
          )}
          {users.data && users.data.items.length > 0 && (
            <CommandGroup heading={t("用户")}>
              {users.data.items.map(({ id, username }) => (
                <CommandItem key={id} value={`user ${id}`} onSelect={() => go("/admin/users/$id", { id: String(id) })}>
                  <UserRound aria-hidden />
                  <span className="truncate">{username}</span>
                  <CommandShortcut>#{id}</CommandShortcut>
                </CommandItem>
              ))}
            </CommandGroup>
          )}
        </CommandList>
      </Command>
    </CommandDialog>
  );
}
