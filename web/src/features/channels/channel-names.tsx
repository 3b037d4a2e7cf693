import { ChevronRight, Tags } from "lucide-react";
import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { cn } from "../../lib/utils.ts";
import type { ChannelRow, TagRow } from "./channel-rows.ts";

/** The name of a channel with its tag; inside a tag's group the tag is left out. */
export function ChannelName({ row: { channel, isInTag } }: { readonly row: ChannelRow }) {
  return (
    <span className={cn("flex items-center gap-1.5", isInTag && "pl-8")}>
      <span className="truncate font-medium" title={channel.name}>
        {channel.name}
      </span>
      {channel.tag !== "" && !isInTag && <StatusBadge tone="outline">{channel.tag}</StatusBadge>}
    </span>
  );
}

type TagNameProps = { readonly row: TagRow; readonly onToggle: (tag: string) => void };

/** The name of a tag; it shows and hides its channels. */
export function TagName({ row, onToggle }: TagNameProps) {
  const { t } = useTranslation();
  return (
    <Button
      variant="ghost"
      size="sm"
      className="max-w-full gap-1.5 px-1.5 sm:-ml-2"
      aria-expanded={row.isOpen}
      aria-label={t("标签 {{tag}} 的渠道", { tag: row.tag })}
      onClick={() => onToggle(row.tag)}
    >
      <ChevronRight className={cn("transition-transform", row.isOpen && "rotate-90")} />
      <Tags className="text-muted-foreground" aria-hidden />
      <span className="truncate font-semibold" title={row.tag}>
        {row.tag}
      </span>
    </Button>
  );
}
