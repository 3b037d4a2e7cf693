import { LOG_TYPE } from "@turnpike/contract/codes";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import { parseLogDetails } from "./log-details.ts";
import { logsQuery } from "./logs-api.ts";
import { formatCount, formatMilliseconds } from "../../lib/text/format.ts";

const POLL_MS = 1_000;
const POLLS_MAX = 15;
const SECOND_MS = 1_000;

/** What a call cost, its tokens and its time, from its log row, which appears a moment after the response. */
export function CallCost({ requestId }: { readonly requestId: string }) {
  const { t } = useTranslation();
  const filter = { request_id: requestId, type: LOG_TYPE.consume };
  const { data } = useQuery({
    ...logsQuery({ page: 1, pageSize: 1, all: false }, filter),
    refetchInterval: ({ state }) =>
      (state.data?.items.length ?? 0) > 0 || state.dataUpdateCount >= POLLS_MAX ? false : POLL_MS,
  });
  const entry = data?.items[0];
  if (!entry) return null;
  const timeMs = parseLogDetails(entry).use_time_ms ?? entry.use_time * SECOND_MS;
  return (
    <Link
      to="/app/logs/api-usage"
      search={{ request: requestId }}
      className="flex flex-wrap gap-x-3 text-xs text-muted-foreground tabular-nums hover:underline"
    >
      <Money quota={entry.quota} />
      <span>
        {t("输入 {{input}} / 输出 {{output}} Token", {
          input: formatCount(entry.prompt_tokens),
          output: formatCount(entry.completion_tokens),
        })}
      </span>
      <span>{formatMilliseconds(timeMs)}</span>
    </Link>
  );
}
