import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { cn } from "../../lib/utils.ts";
import { durationSeconds, parsePercent, SLOW_SECONDS } from "./task-duration.ts";
import { ScrollArea } from "../../components/ui/scroll-area.tsx";

/** A task's progress. */
export function TaskProgress({ progress, status }: { readonly progress: string; readonly status: string }) {
  const percent = parsePercent(progress);
  if (percent === undefined) return <span className="text-muted-foreground">{progress === "" ? "—" : progress}</span>;
  return (
    <span className="inline-flex items-center gap-2 tabular-nums">
      <span className="h-1.5 w-14 overflow-hidden rounded-full bg-muted" aria-hidden>
        <span
          className={cn("block h-full rounded-full", status === "FAILURE" ? "bg-destructive" : "bg-primary")}
          style={{ width: `${percent}%` }}
        />
      </span>
      {percent}%
    </span>
  );
}

/** A task's duration; red from one minute on. */
export function TaskDuration({ from, to }: { readonly from: number; readonly to: number }) {
  const { t } = useTranslation();
  const seconds = durationSeconds(from, to);
  if (seconds === undefined) return <span className="text-muted-foreground">—</span>;
  return (
    <StatusBadge tone={seconds > SLOW_SECONDS ? "bad" : "good"} className="tabular-nums">
      {t("{{seconds}} 秒", { seconds })}
    </StatusBadge>
  );
}

type TaskIdProps = { readonly id: string; readonly onOpen: () => void };

/** A task's id, which opens its details. */
export function TaskId({ id, onOpen }: TaskIdProps) {
  const { t } = useTranslation();
  if (id === "")
    return (
      <Button variant="link" size="inline" className="font-normal text-muted-foreground" onClick={onOpen}>
        {t("未提交")}
      </Button>
    );
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <Button
        variant="link"
        size="inline"
        className="max-w-44 justify-start font-mono text-xs font-normal text-foreground"
        title={id}
        aria-label={t("任务 {{id}} 的详情", { id })}
        onClick={onOpen}
      >
        <span className="truncate">{id}</span>
      </Button>
      <CopyButton value={id} label={t("复制任务 ID")} />
    </span>
  );
}

/** One line of text, cut where the column ends. */
export function OneLine({ text }: { readonly text: string }) {
  if (text === "") return <span className="text-muted-foreground">—</span>;
  return (
    <span className="block max-w-56 truncate" title={text}>
      {text}
    </span>
  );
}

/** One field of a task's details. */
export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-xs text-muted-foreground">{label}</dt>
      <dd className="min-w-0 text-[13px]">{children}</dd>
    </div>
  );
}

/** A text of a task's details, complete, with a copy button; nothing for an empty text. */
export function TextFact({ label, value }: { readonly label: string; readonly value: string }) {
  const { t } = useTranslation();
  if (value === "") return null;
  return (
    <section className="flex flex-col gap-1">
      <h3 className="flex items-center gap-1 text-xs font-medium text-muted-foreground">
        {label}
        <CopyButton value={value} label={t("复制：{{what}}", { what: label })} />
      </h3>
      <ScrollArea className="max-h-48 rounded-md bg-muted" role="region" aria-label={label}>
        <p className="px-2.5 py-2 text-[13px] break-words whitespace-pre-wrap">{value}</p>
      </ScrollArea>
    </section>
  );
}
