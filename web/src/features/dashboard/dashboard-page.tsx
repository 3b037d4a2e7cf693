import type { UsageHour } from "@turnpike/contract/api/data";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorState } from "../../components/states.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useNowSeconds } from "../../hooks/use-now.ts";
import { text } from "../../lib/i18n-source.ts";
import { useIsAdmin } from "../../lib/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { usageQuery } from "./dashboard-api.ts";
import { FirstStepsPanel } from "./first-steps.tsx";
import { StatTiles } from "./stat-tiles.tsx";
import { UsagePanel } from "./usage-panel.tsx";
import type { Granularity } from "./usage-series.ts";

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

/** The hours of one model, or all of them without one. */
const keepModel = (hours: readonly UsageHour[] | undefined, model: string | undefined) =>
  model === undefined ? hours : hours?.filter(({ model_name: name }) => name === model);

/** What is used, by whom and for how much; before the first call, how to get there. */
export function DashboardPage() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const status = useSiteStatus();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const days = search.days ?? DEFAULT_DAYS;
  const by =
    search.by ?? (days === 1 ? "hour" : days === DEFAULT_DAYS ? (status?.data_export_default_time ?? "day") : "day");
  const scope = admin ? (search.scope ?? "site") : "self";
  const now = useNowSeconds();
  // Moves once an hour, so that the answer can be kept in between. The server refuses more than 30 days.
  const endSeconds = now - (now % HOUR_SECONDS) + HOUR_SECONDS;
  const startSeconds = endSeconds - days * DAY_SECONDS;
  const all = scope === "site";
  const usage = useQuery(usageQuery(all, startSeconds, endSeconds));
  const previous = useQuery(usageQuery(all, startSeconds - days * DAY_SECONDS, startSeconds));
  const { model } = search;
  const hours = useMemo(() => keepModel(usage.data, model), [usage.data, model]);
  const previousHours = useMemo(() => keepModel(previous.data, model), [previous.data, model]);
  return (
    <div className="mx-auto flex max-w-[1440px] flex-col gap-4">
      <PageHeader
        title={t("数据看板")}
        description={t("消耗和模型调用的分布。")}
        actions={
          <>
            {admin && (
              <Choice
                label={t("统计范围")}
                value={scope}
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
        }
      />
      <FirstStepsPanel />
      <StatTiles hours={hours} previous={previousHours} all={all} />
      {usage.isPending && <Skeleton className="h-96 w-full" />}
      {usage.isError && !usage.data && <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && (
        <UsagePanel
          hours={hours ?? []}
          previous={previousHours}
          span={{ startSeconds, endSeconds, by }}
          model={model}
          onModel={(name) => patch({ model: name })}
        />
      )}
      {all && (
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <SitePanels startSeconds={startSeconds} endSeconds={endSeconds} by={by} />
        </Suspense>
      )}
    </div>
  );
}
