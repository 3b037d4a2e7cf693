import { useNavigate } from "@tanstack/react-router";
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
import { useDebounced } from "../../hooks/use-debounced.ts";
import { useIsAdmin } from "../../lib/session/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import type { PaletteGroup, PaletteItem } from "./palette-item.ts";
import { usePaletteGroups } from "./palette-search.ts";
import { usePalette } from "./palette-state.ts";

const SEARCH_DELAY_MS = 200;

/** What was found of one kind. */
function FoundGroup({ heading, items }: PaletteGroup) {
  const navigate = useNavigate();
  const setOpen = usePalette((state) => state.setOpen);
  const choose = (item: PaletteItem): void => {
    setOpen(false);
    if ("run" in item) item.run();
    // The router types parameters by page; here the page is known at run time only.
    else void navigate(item.to as never);
  };
  return (
    <CommandGroup heading={heading}>
      {items.map((item) => {
        const { key, name, note, icon: Icon } = item;
        return (
          <CommandItem key={key} value={key} onSelect={() => choose(item)}>
            <Icon aria-hidden />
            <span className="truncate">{name}</span>
            {note !== undefined && <CommandShortcut className="tracking-normal">{note}</CommandShortcut>}
          </CommandItem>
        );
      })}
    </CommandGroup>
  );
}

/** Finds pages, actions, channels, users, tokens, models, settings and requests by name or id. */
export function Palette() {
  const { t } = useTranslation();
  const setOpen = usePalette((state) => state.setOpen);
  const admin = useIsAdmin();
  const status = useSiteStatus();
  const [input, setInput] = useState("");
  const typed = input.trim();
  const { groups, isSearching } = usePaletteGroups(status, admin, typed, useDebounced(typed, SEARCH_DELAY_MS));
  return (
    <CommandDialog
      open
      onOpenChange={setOpen}
      title={t("搜索或执行命令")}
      description={t("输入名称、ID 或命令，用方向键选择，回车执行")}
      className="top-[15vh] max-w-xl translate-y-0"
    >
      <Command shouldFilter={false} label={t("搜索或执行命令")}>
        <CommandInput
          value={input}
          onValueChange={setInput}
          placeholder={t("页面、命令、渠道、用户、令牌、模型、设置或请求 ID")}
        />
        <CommandList>
          <CommandEmpty>{isSearching ? t("搜索中…") : t("没有找到。")}</CommandEmpty>
          {groups.map((group) => (
            <FoundGroup key={group.heading} {...group} />
          ))}
        </CommandList>
      </Command>
    </CommandDialog>
  );
}
