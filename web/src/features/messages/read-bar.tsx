import type { AdminMessage } from "@turnpike/contract/api/message";
import { useTranslation } from "react-i18next";
import { Hint } from "../../components/hint.tsx";
import { formatCount } from "../../lib/text/format.ts";

/** The share of a message's recipients who have read it. */
export function ReadBar({ stats }: { readonly stats: AdminMessage["stats"] }) {
  const { t } = useTranslation();
  const { total_recipients: total, read_count: read, read_rate: rate } = stats;
  return (
    <Hint text={t("{{rate}}% 已读", { rate })}>
      <span className="inline-flex flex-col items-end gap-0.5">
        <span className="tabular-nums">
          {formatCount(read)} / {formatCount(total)}
        </span>
        <span className="block h-1 w-20 overflow-hidden rounded-full bg-muted" aria-hidden>
          <span className="block h-full bg-good" style={{ width: `${Math.min(100, rate)}%` }} />
        </span>
      </span>
    </Hint>
  );
}
