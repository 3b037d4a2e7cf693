import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { DayFilters, type DaySearch } from "../../../components/data-table/day-filters.tsx";
import { MoneySum } from "../../../components/money.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Sheet, SheetContent, SheetDescription, SheetTitle } from "../../../components/ui/sheet.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../components/ui/tabs.tsx";
import { dayEndSeconds, dayStartSeconds } from "../../../lib/text/day-bounds.ts";
import { formatChange, formatCount } from "../../../lib/text/format.ts";
import { sumUp } from "./rehearsal-sums.ts";
import { ChangedMoney, ModelSums, SkippedSums, UserSums } from "./rehearsal-tables.tsx";
import { type Proposal, type Rehearsal, useRehearsal } from "./use-rehearsal.ts";

const DAY_MS = 86_400_000;
const SPAN_DAYS = 30;

const pad = (number: number): string => String(number).padStart(2, "0");
/** A day in the user's time zone, as "2026-05-31". */
function toDay(at: Date): string {
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}
const lastDays = (): DaySearch => ({
  from: toDay(new Date(Date.now() - (SPAN_DAYS - 1) * DAY_MS)),
  to: toDay(new Date()),
});

function Progress({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { t } = useTranslation();
  const { state, sums, progress, problem } = rehearsal;
  if (problem !== undefined) return <Notice tone="bad">{problem}</Notice>;
  if (state === "idle" || state === "done") return null;
  const values = { rows: formatCount(sums.rows), percent: Math.floor(progress * 100) };
  return (
    <Notice tone="info">
      {state === "running"
        ? t("已计算 {{rows}} 次调用（{{percent}}%）", values)
        : t("已停止：只包含最近的 {{rows}} 次调用（{{percent}}%）", values)}
    </Notice>
  );
}

type Totals = ReturnType<typeof sumUp>;

function Figures({ total, users }: { readonly total: Totals; readonly users: Totals }) {
  const { t } = useTranslation();
  const change = total.proposed - total.current;
  return (
    <div className="flex flex-col gap-1 text-[13px] tabular-nums">
      <p>
        {t("收入：当时计费")} <MoneySum quota={total.quota} />
        {t("，按现行价格")} <MoneySum quota={total.current} />
        {t("，按试算价格")} <MoneySum quota={total.proposed} className="font-medium" />
        {change !== 0 && (
          <>
            {" "}
            (<ChangedMoney quota={change} />
            {total.current > 0 && `, ${formatChange(change / total.current)}`})
          </>
        )}
      </p>
      {total.costedCalls > 0 && (
        <p>
          {t("毛利：按现行价格")} <MoneySum quota={total.margin.current} />
          {t("，按试算价格")} <MoneySum quota={total.margin.proposed} className="font-medium" />{" "}
          {t("（{{known}} 次调用的成本已知，共 {{calls}} 次）", {
            known: formatCount(total.costedCalls),
            calls: formatCount(total.calls),
          })}
        </p>
      )}
      <p>
        {t("{{count}} 个用户付得更多：", { count: users.more.count })} <ChangedMoney quota={users.more.quota} />
        {t("；{{count}} 个用户付得更少：", { count: users.less.count })} <ChangedMoney quota={users.less.quota} />
      </p>
    </div>
  );
}

function Results({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { t } = useTranslation();
  const [models, users, skipped] = [
    [...rehearsal.sums.models.values()],
    [...rehearsal.sums.users.values()],
    [...rehearsal.sums.skipped.values()],
  ];
  if (models.length + skipped.length === 0)
    return <p className="py-6 text-center text-muted-foreground">{t("这段时间没有调用。")}</p>;
  const skippedCalls = skipped.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <>
      <Figures total={sumUp(models)} users={sumUp(users)} />
      <Tabs defaultValue="models" className="flex flex-col gap-3">
        <TabsList aria-label={t("试算结果")}>
          <TabsTrigger value="models">{t("按模型和分组")}</TabsTrigger>
          <TabsTrigger value="users">{t("按用户")}</TabsTrigger>
          <TabsTrigger value="skipped">{t("无法计算（{{count}}）", { count: skippedCalls })}</TabsTrigger>
        </TabsList>
        <TabsContent value="models">
          <ModelSums rows={models} />
        </TabsContent>
        <TabsContent value="users">
          <UserSums rows={users} />
        </TabsContent>
        <TabsContent value="skipped">
          {skipped.length > 0 ? (
            <SkippedSums rows={skipped} />
          ) : (
            <p className="py-6 text-center text-muted-foreground">{t("所有调用都能计算。")}</p>
          )}
        </TabsContent>
      </Tabs>
    </>
  );
}

type RehearsalSheetProps = { readonly proposal: Proposal; readonly onClose: () => void };

/** Calculates what past calls would have cost at proposed prices: revenue, and who pays more and less. Nothing is stored. */
export function RehearsalSheet({ proposal, onClose }: RehearsalSheetProps) {
  const { t } = useTranslation();
  const [days, setDays] = useState(lastDays);
  const rehearsal = useRehearsal(proposal);
  const [startSeconds, endSeconds] = [dayStartSeconds(days.from), dayEndSeconds(days.to)];
  const isRunning = rehearsal.state === "running";
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent className="gap-3 overflow-y-auto p-5 sm:w-[1000px]">
        <SheetTitle>{t("价格试算")}</SheetTitle>
        <SheetDescription>
          {proposal.changes.length === 0
            ? t("没有未保存的修改：按现行价格重新计算过去的调用。")
            : t("按修改后的价格重新计算过去的调用。什么都不会保存。")}
        </SheetDescription>
        <div className="flex flex-wrap items-center gap-2">
          <DayFilters search={days} onChange={(change) => setDays({ ...days, ...change })} />
          <BusyButton
            busy={isRunning}
            disabled={startSeconds === undefined || endSeconds === undefined}
            onClick={() => {
              if (startSeconds !== undefined && endSeconds !== undefined)
                void rehearsal.start({ startSeconds, endSeconds });
            }}
          >
            {t("试算")}
          </BusyButton>
          {isRunning && (
            <Button variant="outline" onClick={rehearsal.stop}>
              {t("停止")}
            </Button>
          )}
        </div>
        <Progress rehearsal={rehearsal} />
        {rehearsal.state !== "idle" && (rehearsal.sums.rows > 0 || rehearsal.state === "done") && (
          <Results rehearsal={rehearsal} />
        )}
      </SheetContent>
    </Sheet>
  );
}
