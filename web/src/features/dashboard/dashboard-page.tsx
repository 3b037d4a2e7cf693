import type { UsageHour } from "@turnpike/contract/api/data";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorState } from "../../components/states.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useNowSeconds } from "../../hooks/use-now.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { useIsAdmin } from "../../lib/session/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { usageQuery, type UsageScope } from "./dashboard-api.ts";
import { FirstStepsPanel } from "./first-steps.tsx";
import { StatTiles } from "./stat-tiles.tsx";
import { UsagePanel } from "./usage/usage-panel.tsx";
import type { Granularity } from "./usage/usage-series.ts";

type Span = { readonly startSeconds: number; readonly endSeconds: number };

const SiteAlerts = lazy(async () => ({ default: (await import("./site-alerts.tsx")).SiteAlerts }));
const SitePanels = lazy(async () => ({ default: (await import("./site-panels.tsx")).SitePanels }));

const route = getRouteApi("/shell/signed-in/app/dashboard");

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
const DEFAULT_DAYS = 7;

const SPANS = [
  { days: 1, label: text("最近 24 小时") },
  { days: 7, label: text("最近 7 天") },
  { days: 30, label: text("最近 30 天") },
] as const;
const GRANULARITIES: readonly { readonly value: Granularity; readonly label: string }[] = [
  { value: "hour", label: text("按小时") },
  { value: "day", label: text("按天") },
  { value: "week", label: text("按周") },
];
const SCOPES = [
  { value: "site", label: text("全站") },
  { value: "self", label: text("我的") },
] as const;

type ChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
};

function Choice({ label, value, choices, onChoose }: ChoiceProps) {
  const { t } = useTranslation();
  return (
    <OptionSelect
      className="h-9"
      aria-label={label}
      value={value}
      options={choices.map((choice) => ({ value: choice.value, label: t(choice.label) }))}
      onValueChange={onChoose}
    />
  );
}

/** The hours of one model, or of all models. */
const keepModel = (hours: readonly UsageHour[] | undefined, model: string | undefined) =>
  model === undefined ? hours : hours?.filter(({ model_name: name }) => name === model);

type DashboardSearch = ReturnType<typeof route.useSearch>;
type Patch = (change: Partial<DashboardSearch>) => void;

/** The selected range and interval; the range ends with the current hour. */
function useSpan({ days: wanted, by: interval }: DashboardSearch) {
  const status = useSiteStatus();
  const now = useNowSeconds();
  const days = wanted ?? DEFAULT_DAYS;
  const usual = days === DEFAULT_DAYS ? (status?.data_export_default_time ?? "day") : "day";
  const by: Granularity = interval ?? (days === 1 ? "hour" : usual);
  // Changes once an hour, so that the response can be cached in between. The server refuses more than 30 days.
  const endSeconds = now - (now % HOUR_SECONDS) + HOUR_SECONDS;
  return { days, by, startSeconds: endSeconds - days * DAY_SECONDS, endSeconds };
}

type ControlsProps = {
  readonly search: DashboardSearch;
  readonly patch: Patch;
  readonly days: number;
  readonly by: Granularity;
};

function Controls({ search, patch, days, by }: ControlsProps) {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  return (
    <>
      {admin && search.user === undefined && (
        <Choice
          label={t("统计范围")}
          value={search.scope ?? "site"}
          choices={SCOPES}
          onChoose={(value) => patch({ scope: value === "self" ? "self" : undefined })}
        />
      )}
      <Choice
        label={t("时间范围")}
        value={String(days)}
        choices={SPANS.map((span) => ({ value: String(span.days), label: span.label }))}
        onChoose={(value) => patch({ days: SPANS.find((span) => String(span.days) === value)?.days })}
      />
      <Choice
        label={t("时间粒度")}
        value={by}
        choices={GRANULARITIES}
        onChoose={(value) => patch({ by: GRANULARITIES.find((choice) => choice.value === value)?.value })}
      />
    </>
  );
}

/** Shows whose usage it is, with links to the user's log and back to the site's usage. */
function UserBar({ username, onClear }: { readonly username: string; readonly onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-lg border border-primary/60 bg-selected px-3 py-1.5 text-[13px]">
      <span className="font-medium">{t("只统计用户 {{name}}", { name: username })}</span>
      <Button variant="link" size="inline" asChild>
        <Link to="/app/logs/api-usage" search={{ username }}>
          {t("查看日志")}
        </Link>
      </Button>
      <Button variant="ghost" size="sm" className="ml-auto" onClick={onClear}>
        {t("回到全站")}
      </Button>
    </div>
  );
}

/** The usage in the selected range and in the one before it, of one model or of all. */
function useUsage(scope: UsageScope, { startSeconds, endSeconds }: Span, model: string | undefined) {
  const usage = useQuery(usageQuery(scope, startSeconds, endSeconds));
  const last = { startSeconds: startSeconds - (endSeconds - startSeconds), endSeconds: startSeconds };
  const previous = useQuery(usageQuery(scope, last.startSeconds, last.endSeconds));
  const hours = useMemo(() => keepModel(usage.data, model), [usage.data, model]);
  const previousHours = useMemo(() => keepModel(previous.data, model), [previous.data, model]);
  return { usage, hours, previousHours, last };
}

/** Usage by model, user and time; before the first call, the steps that lead to it. */
export function DashboardPage() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const search = route.useSearch();
  const patch = usePatchSearch<DashboardSearch>();
  const { days, by, ...span } = useSpan(search);
  const username = admin ? search.user : undefined;
  const scope: UsageScope = { all: admin && (username !== undefined || search.scope !== "self"), username };
  const isSite = scope.all && username === undefined;
  const { usage, hours, previousHours, last } = useUsage(scope, span, search.model);
  return (
    <div className="mx-auto flex max-w-[1440px] flex-col gap-4">
      <PageHeader
        title={t("数据看板")}
        description={t("消耗和模型调用的分布。")}
        actions={<Controls search={search} patch={patch} days={days} by={by} />}
      />
      {username !== undefined && <UserBar username={username} onClear={() => patch({ user: undefined })} />}
      <FirstStepsPanel />
      <StatTiles hours={hours} previous={previousHours} scope={scope} spans={[span, last]} model={search.model} />
      {isSite && (
        <Suspense>
          <SiteAlerts />
        </Suspense>
      )}
      {usage.isPending && <Skeleton className="h-96 w-full" />}
      {usage.isError && !usage.data && <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && (
        <UsagePanel
          hours={hours ?? []}
          previous={previousHours}
          span={{ ...span, by }}
          model={search.model}
          onModel={(name) => patch({ model: name })}
        />
      )}
      {isSite && (
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <SitePanels {...span} by={by} />
        </Suspense>
      )}
    </div>
  );
}
