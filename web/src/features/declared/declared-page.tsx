import type { DeclaredDrift, DeclaredObject, DeclaredReport } from "@turnpike/contract/api/declared";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/notice.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { EmptyState, ErrorState } from "../../components/states.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Time } from "../../components/time.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useNowSeconds } from "../../hooks/use-now.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { declaredQuery } from "./declared-api.ts";

const KINDS: Readonly<Record<DeclaredObject["kind"], string>> = {
  option: text("设置项"),
  price: text("价格项"),
  group: text("分组"),
  channel: text("上游渠道"),
  user: text("用户账号"),
  token: text("API 令牌"),
};
const ACTIONS: Readonly<Record<DeclaredDrift["action"], string>> = {
  create: text("缺失"),
  update: text("不一致"),
  delete: text("多余"),
};
/** A reconciler that missed this many comparisons has stopped. */
const MISSED_MAX = 6;

/** One difference, field by field. */
function Drift({ drift }: { readonly drift: DeclaredDrift }) {
  const { t } = useTranslation();
  return (
    <li className="flex flex-col gap-1 rounded-lg border px-3 py-2 text-[13px]">
      <p className="flex flex-wrap items-center gap-2">
        <StatusBadge tone="warn" dot>
          {t(ACTIONS[drift.action])}
        </StatusBadge>
        <span className="text-muted-foreground">{t(KINDS[drift.kind])}</span>
        <span className="font-mono break-all">{drift.name}</span>
      </p>
      {drift.fields.map(({ field, declared, actual }) => (
        <dl key={field} className="grid grid-cols-[auto_1fr] gap-x-4 pl-1">
          <dt className="text-muted-foreground">{t("字段")}</dt>
          <dd className="font-mono break-all">{field}</dd>
          <dt className="text-muted-foreground">{t("声明的值")}</dt>
          <dd className="font-mono break-all">{declared}</dd>
          <dt className="text-muted-foreground">{t("当前的值")}</dt>
          <dd className="font-mono break-all">{actual}</dd>
        </dl>
      ))}
    </li>
  );
}

/** When the site was compared, and whether that goes on. */
function Freshness({ report }: { readonly report: DeclaredReport }) {
  const { t } = useTranslation();
  const now = useNowSeconds();
  const isLate = report.interval > 0 && now - report.checked_at > report.interval * MISSED_MAX;
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-[13px]">
        <dt className="text-muted-foreground">{t("来源")}</dt>
        <dd className="font-mono break-all">{report.source}</dd>
        <dt className="text-muted-foreground">{t("上次应用")}</dt>
        <dd>{report.applied_at === 0 ? "–" : <Time seconds={report.applied_at} />}</dd>
        <dt className="text-muted-foreground">{t("上次比较")}</dt>
        <dd>
          <Time seconds={report.checked_at} />
        </dd>
      </dl>
      {report.interval === 0 && (
        <Notice tone="info">{t("没有持续比较：只有运行 turnpike reconcile 时，这里才会显示新的差异。")}</Notice>
      )}
      {isLate && <Notice tone="warn">{t("比较已经停止，显示的是最后一次的结果。")}</Notice>}
    </>
  );
}

/** The declared objects, by kind. */
function Objects({ report }: { readonly report: DeclaredReport }) {
  const { t } = useTranslation();
  const drifted = new Set(report.drifts.map(({ kind, name }) => `${kind}/${name}`));
  return (
    <div className="flex flex-col gap-3">
      {Object.entries(KINDS).map(([kind, label]) => {
        const objects = report.objects.filter((object) => object.kind === kind);
        if (objects.length === 0) return undefined;
        return (
          <details key={kind} className="rounded-lg border px-3 py-2 text-[13px]">
            <summary className="cursor-pointer font-medium">
              {t(label)} ({objects.length})
            </summary>
            <ul className="mt-2 flex flex-wrap gap-1.5">
              {objects.map(({ name }) => (
                <li key={name}>
                  <StatusBadge tone={drifted.has(`${kind}/${name}`) ? "warn" : "neutral"}>{name}</StatusBadge>
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </div>
  );
}

function Report({ report }: { readonly report: DeclaredReport }) {
  const { t } = useTranslation();
  return (
    <>
      <Freshness report={report} />
      {report.problem !== "" && (
        <Notice tone="bad" className="break-words whitespace-pre-wrap">
          {report.problem}
        </Notice>
      )}
      <section className="flex flex-col gap-2">
        <h2 className="font-semibold">{t("与声明的差异")}</h2>
        {report.drifts.length === 0 ? (
          <Notice tone="good">{t("站点与声明的配置一致。")}</Notice>
        ) : (
          <ul className="flex flex-col gap-2">
            {report.drifts.map((drift) => (
              <Drift key={`${drift.kind}/${drift.name}/${drift.action}`} drift={drift} />
            ))}
          </ul>
        )}
      </section>
      <section className="flex flex-col gap-2">
        <h2 className="font-semibold">{t("声明的对象")}</h2>
        <p className="text-[13px] text-muted-foreground">{t("请在文件中修改它们；在控制台所做的修改会显示为差异。")}</p>
        <Objects report={report} />
      </section>
    </>
  );
}

/** What is managed from files, and where the site differs from them. */
export function DeclaredPage() {
  const { t } = useTranslation();
  const state = useQuery(declaredQuery);
  return (
    <div className="mx-auto flex w-full max-w-[1280px] flex-col gap-4">
      <PageHeader title={t("声明式配置")} description={t("由文件管理的对象，以及站点与文件的差异。")} />
      {state.isPending && <Skeleton className="h-64 w-full" />}
      {state.isError && !state.data && <ErrorState error={state.error} onRetry={() => void state.refetch()} />}
      {state.data === null && (
        <EmptyState text={t("还没有应用过声明的配置。用 turnpike export 导出当前站点，再用 turnpike apply 应用。")} />
      )}
      {state.data && <Report report={state.data} />}
    </div>
  );
}
