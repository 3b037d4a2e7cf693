import type { GenericTask } from "@turnpike/contract/api/task";
import { Music } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../components/ui/dialog.tsx";
import { type MusicResult, parseMusicResults } from "./music-results.ts";
import { actionLabel } from "./task-actions.ts";
import { Fact, TaskDuration, TaskProgress, TextFact } from "./task-parts.tsx";
import { TaskStatus } from "./task-status.tsx";

type TaskDialogProps = { readonly task: GenericTask; readonly onClose: () => void };

function MusicResultView({ clip }: { readonly clip: MusicResult }) {
  const { t } = useTranslation();
  return (
    <li className="flex flex-col gap-2 rounded-md border p-3">
      <p className="text-[13px] font-medium">{clip.title === "" ? t("未命名") : clip.title}</p>
      {clip.audioUrl !== "" && (
        <Button variant="outline" asChild size="sm" className="self-start">
          <a href={clip.audioUrl} target="_blank" rel="noreferrer">
            <Music />
            {t("打开音频")}
          </a>
        </Button>
      )}
      <TextFact label={t("歌词")} value={clip.lyrics} />
    </li>
  );
}

/** The details of a task. */
export function TaskDialog({ task, onClose }: TaskDialogProps) {
  const { t } = useTranslation();
  const clips = parseMusicResults(task.data);
  const moment = (seconds: number) => (seconds > 0 ? <Time seconds={seconds} exact /> : "—");
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-xl">
        <DialogTitle className="flex flex-wrap items-center gap-2">
          {t(actionLabel(task.action))}
          <TaskStatus status={task.status} />
        </DialogTitle>
        <DialogDescription className="font-mono text-xs break-all">{task.task_id || t("未提交")}</DialogDescription>
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          <Fact label={t("提交时间")}>{moment(task.submit_time)}</Fact>
          <Fact label={t("开始执行时间")}>{moment(task.start_time)}</Fact>
          <Fact label={t("完成时间")}>{moment(task.finish_time)}</Fact>
          <Fact label={t("花费时间")}>
            <TaskDuration from={task.submit_time * 1000} to={task.finish_time * 1000} />
          </Fact>
          <Fact label={t("进度")}>
            <TaskProgress progress={task.progress} status={task.status} />
          </Fact>
          <Fact label={t("费用")}>
            <Money quota={task.quota} />
          </Fact>
          {task.refunded_quota > 0 && (
            <Fact label={t("已退还")}>
              <Money quota={task.refunded_quota} />
            </Fact>
          )}
        </dl>
        <TextFact label={t("失败原因")} value={task.fail_reason} />
        <TextFact label={t("提示词")} value={task.properties.input} />
        {clips.length > 0 && (
          <ul className="flex flex-col gap-2">
            {clips.map((clip) => (
              <MusicResultView key={clip.id} clip={clip} />
            ))}
          </ul>
        )}
      </DialogContent>
    </Dialog>
  );
}
