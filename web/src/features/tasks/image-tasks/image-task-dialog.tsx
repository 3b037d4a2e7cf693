import type { ImageTask } from "@turnpike/contract/api/task";
import { useTranslation } from "react-i18next";
import { Money } from "../../../components/money.tsx";
import { Time } from "../../../components/time.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../../components/ui/dialog.tsx";
import { actionLabel } from "../task-actions.ts";
import { Fact, TaskDuration, TaskProgress, TextFact } from "../task-parts.tsx";
import { TaskStatus } from "../task-status.tsx";
import { TaskImage } from "./task-image.tsx";
import { SubmitResult } from "./submit-result.tsx";

type ImageTaskDialogProps = { readonly task: ImageTask; readonly onClose: () => void };

function Facts({ task }: Pick<ImageTaskDialogProps, "task">) {
  const { t } = useTranslation();
  const moment = (ms: number) => (ms > 0 ? <Time seconds={Math.floor(ms / 1000)} exact /> : "—");
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      <Fact label={t("提交结果")}>
        <SubmitResult code={task.code} />
      </Fact>
      <Fact label={t("提交时间")}>{moment(task.submit_time)}</Fact>
      <Fact label={t("开始执行时间")}>{moment(task.start_time)}</Fact>
      <Fact label={t("完成时间")}>{moment(task.finish_time)}</Fact>
      <Fact label={t("花费时间")}>
        <TaskDuration from={task.submit_time} to={task.finish_time} />
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
  );
}

/** The details of an image task, its image first. */
export function ImageTaskDialog({ task, onClose }: ImageTaskDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-xl">
        <DialogTitle className="flex flex-wrap items-center gap-2">
          {t(actionLabel(task.action))}
          <TaskStatus status={task.status} />
        </DialogTitle>
        <DialogDescription className="font-mono text-xs break-all">{task.mj_id || t("未提交")}</DialogDescription>
        <TaskImage url={task.image_url} alt={task.prompt} />
        <Facts task={task} />
        <TextFact label={t("失败原因")} value={task.fail_reason} />
        <TextFact label={t("提示词")} value={task.prompt} />
        <TextFact label={t("英文提示词")} value={task.prompt_en} />
      </DialogContent>
    </Dialog>
  );
}
