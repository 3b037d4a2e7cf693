import type { AdminLogEntry, LogDetails, LogEntry } from "@turnpike/contract/api/log";
import { LOG_TYPE } from "@turnpike/contract/codes";
import { Link } from "@tanstack/react-router";
import { ArrowRight, ExternalLink } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { Time } from "../../components/time.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import { toCallId } from "../../domain/logs/call-id.ts";
import { parseLogDetails } from "../../domain/logs/log-details.ts";
import { translateContent } from "../../domain/logs/log-content.ts";
import { LogBill } from "./log-bill.tsx";
import { LogCost } from "./log-cost.tsx";
import { LogContents } from "./log-contents.tsx";
import { TimingBar } from "./log-timing.tsx";
import { RequestTimeline } from "./request-timeline.tsx";

const PRICE_RULES: Readonly<Record<string, string>> = {
  model: text("按请求的模型名计价"),
  upstream_model: text("按上游的模型名计价"),
  fallback: text("按兜底价格计价"),
  unset_accepted: text("模型没有价格，按默认倍率计价"),
};

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-xs text-muted-foreground">{label}</dt>
      <dd className="min-w-0 text-[13px]">{children}</dd>
    </div>
  );
}

function Route({ channels }: { readonly channels: readonly string[] }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      {channels.map((channel, index) => (
        <Fragment key={`${index}-${channel}`}>
          {index > 0 && <ArrowRight className="size-3 text-muted-foreground" aria-label="→" />}
          <StatusBadge tone={index === channels.length - 1 ? "info" : "neutral"}>#{channel}</StatusBadge>
        </Fragment>
      ))}
    </span>
  );
}

function RequestId({ entry }: { readonly entry: LogEntry }) {
  const { t } = useTranslation();
  if (entry.request_id === "") return null;
  return (
    <Fact label={t("请求 ID")}>
      <span className="inline-flex items-center gap-1">
        <code className="font-mono text-xs">{toCallId(entry)}</code>
        <CopyButton value={toCallId(entry)} label={t("复制请求 ID")} />
      </span>
    </Fact>
  );
}

/** The agent session of the call: opens its calls and their sums. */
function Session({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  return (
    <Fact label={t("会话 ID")}>
      <Link
        to="/app/logs/api-usage"
        search={{ session: id, range: "all" }}
        className="font-mono text-xs break-all underline underline-offset-2"
      >
        {id}
      </Link>
    </Fact>
  );
}

function TraceLink({ url }: { readonly url: string | undefined }) {
  const { t } = useTranslation();
  if (url === undefined) return null;
  return (
    <Fact label={t("链路追踪")}>
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="inline-flex items-center gap-1 underline underline-offset-2"
      >
        {t("打开追踪")}
        <ExternalLink className="size-3" aria-hidden />
      </a>
    </Fact>
  );
}

function Facts({ entry, details }: { readonly entry: AdminLogEntry; readonly details: LogDetails }) {
  const { t } = useTranslation();
  const route = details.admin_info?.use_channel ?? [];
  const rule = details.price_rule === undefined ? undefined : PRICE_RULES[details.price_rule];
  const error = [details.status_code, details.error_type, details.error_code].filter(Boolean).join(" · ");
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      <Fact label={t("时间")}>
        <Time seconds={entry.created_at} exact />
      </Fact>
      <RequestId entry={entry} />
      <TraceLink url={entry.trace_url} />
      {details.is_model_mapped === true && (
        <Fact label={t("实际模型")}>
          <code className="font-mono text-xs">{details.upstream_model_name}</code>
        </Fact>
      )}
      {route.length > 0 && (
        <Fact label={t("经过的渠道")}>
          <Route channels={route} />
        </Fact>
      )}
      {rule !== undefined && <Fact label={t("计价规则")}>{t(rule)}</Fact>}
      {details.session_id !== undefined && <Session id={details.session_id} />}
      {details.endpoint !== undefined && <Fact label={t("接口")}>{details.endpoint}</Fact>}
      {details.response_cache === true && (
        <Fact label={t("来源")}>
          <StatusBadge tone="info">{t("缓存的回答")}</StatusBadge>
        </Fact>
      )}
      {details.reasoning_effort !== undefined && <Fact label={t("推理强度")}>{details.reasoning_effort}</Fact>}
      {details.reasoning_tokens !== undefined && details.reasoning_tokens > 0 && (
        <Fact label={t("其中推理 Token")}>{details.reasoning_tokens}</Fact>
      )}
      {entry.client_ip !== "" && <Fact label={t("客户端 IP")}>{entry.client_ip}</Fact>}
      {error !== "" && <Fact label={t("错误信息")}>{error}</Fact>}
    </dl>
  );
}

/** True for a failed call, and for one that was served after failed attempts. */
const mayHaveAttempts = (entry: LogEntry, details: LogDetails): boolean =>
  entry.type === LOG_TYPE.error || (details.admin_info?.use_channel?.length ?? 0) > 1;

/** An expanded log row: the bill, the times, the channels tried, the request id. */
export function LogRowDetails({ entry }: { readonly entry: AdminLogEntry }) {
  const { t } = useTranslation();
  const details = parseLogDetails(entry);
  return (
    <div className="flex flex-col gap-4">
      <Facts entry={entry} details={details} />
      {entry.type === LOG_TYPE.consume && (
        <>
          <LogBill entry={entry} details={details} />
          <LogCost entry={entry} />
          <TimingBar entry={entry} details={details} />
        </>
      )}
      {mayHaveAttempts(entry, details) && <RequestTimeline entry={entry} />}
      {entry.content !== "" && (
        <section className="flex flex-col gap-1">
          <h2 className="text-xs font-medium text-muted-foreground">{t("说明")}</h2>
          <p className="text-[13px] whitespace-pre-wrap">{translateContent(entry.content, t)}</p>
          {details.admin_info?.error !== undefined && (
            <p className="text-[13px] whitespace-pre-wrap">
              {t("上游的错误，仅管理员可见：{{error}}", { error: details.admin_info.error })}
            </p>
          )}
          {details.omitted_failures !== undefined && (
            <p className="text-xs text-warn">
              {t("此前还有 {{count}} 次失败的调用没有记录。", { count: details.omitted_failures })}
            </p>
          )}
        </section>
      )}
      <LogContents details={details} />
    </div>
  );
}
