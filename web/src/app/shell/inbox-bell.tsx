import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { unreadQuery } from "../../features/inbox/inbox-api.ts";

const SHOWN_MAX = 99;

/** The link to the inbox, with the number of unread messages. */
export function InboxBell() {
  const { t } = useTranslation();
  const unread = useQuery(unreadQuery).data ?? 0;
  const label = unread === 0 ? t("收件箱") : t("收件箱，{{count}} 条未读", { count: unread });
  return (
    <Button asChild variant="ghost" size="icon" className="relative">
      <Link to="/app/inbox" aria-label={label} title={label}>
        <Bell />
        {unread > 0 && (
          <span
            className="absolute top-0.5 right-0.5 min-w-4 rounded-full bg-destructive px-1 text-center text-[10px] leading-4 font-semibold text-white tabular-nums dark:text-zinc-950"
            aria-hidden
          >
            {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
          </span>
        )}
      </Link>
    </Button>
  );
}
