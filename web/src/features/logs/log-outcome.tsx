import type { LogEntry } from "@turnpike/contract/api/log";
import { LOG_TYPE } from "@turnpike/contract/codes";
import { useTranslation } from "react-i18next";
import { FilterCell } from "../../components/data-table/filter-cell.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { parseLogDetails } from "../../domain/logs/log-details.ts";
import { LOG_TYPES } from "./log-types.ts";

type LogOutcomeProps = { readonly entry: LogEntry; readonly onFilter: (errorCode: string) => void };

/** The status of a failed call and the first words of the reason. */
function Failure({ entry, onFilter }: LogOutcomeProps) {
  const { t } = useTranslation();
  const { status_code: status, error_code: code, is_retried: isRetried } = parseLogDetails(entry);
  const filter = status === undefined ? code : String(status);
  const badge = (
    <StatusBadge dot tone={isRetried === true ? "warn" : "bad"}>
      {status ?? t("错误")}
    </StatusBadge>
  );
  return (
    <span className="inline-flex max-w-52 min-w-0 items-center gap-1.5">
      {filter === undefined ? (
        badge
      ) : (
        <FilterCell value={filter} className="shrink-0" onFilter={() => onFilter(filter)}>
          {badge}
        </FilterCell>
      )}
      <span className="truncate text-muted-foreground" title={entry.content}>
        {isRetried === true && `${t("已重试")} · `}
        {entry.content}
      </span>
    </span>
  );
}

/** What a row records: its type, or for a failed call its status and reason. */
export function LogOutcome({ entry, onFilter }: LogOutcomeProps) {
  const { t } = useTranslation();
  if (entry.type === LOG_TYPE.error) return <Failure entry={entry} onFilter={onFilter} />;
  const type = LOG_TYPES.find(({ value }) => value === entry.type);
  const isCut = entry.type === LOG_TYPE.consume && parseLogDetails(entry).error_code !== undefined;
  return (
    <span className="inline-flex items-center gap-1.5">
      <StatusBadge dot tone={type?.tone ?? "neutral"}>
        {type ? t(type.label) : t("未知")}
      </StatusBadge>
      {isCut && (
        <StatusBadge tone="warn" title={entry.content}>
          {t("已中断")}
        </StatusBadge>
      )}
    </span>
  );
}
