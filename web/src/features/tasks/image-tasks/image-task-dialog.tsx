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

type ImageTaskDialogProps = { readonly imageTask: ImageTask; readonly onClose: () => void };

function Facts({ imageTask }: Pick<ImageTaskDialogProps, "imageTask">) {
  const { t } = useTranslation();
  const moment = (ms: number) => (ms > 0 ? <Time seconds={Math.floor(ms / 1000)} exact /> : "—");
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      <Fact label={t("提交结果")}>
        <SubmitResult code={imageTask.code} />
      </Fact>
      <Fact label={t("提交时间")}>{moment(imageTask.submit_time)}</Fact>
      <Fact label={t("开始执行时间")}>{moment(imageTask.start_time)}</Fact>
      <Fact label={t("完成时间")}>{moment(imageTask.finish_time)}</Fact>
      <Fact label={t("花费时间")}>
        <TaskDuration from={imageTask.submit_time} to={imageTask.finish_time} />
      </Fact>
      <Fact label={t("进度")}>
        <TaskProgress progress={imageTask.progress} status={imageTask.status} />
      </Fact>
      <Fact label={t("费用")}>
        <Money quota={imageTask.quota} />
      </Fact>
      {imageTask.refunded_quota > 0 && (
        <Fact label={t("已退还")}>
          <Money quota={imageTask.refunded_quota} />
        </Fact>
      )}
    </dl>
  );
}

/** The details of an image task, its image first. */
export function ImageTaskDialog({ imageTask, onClose }: ImageTaskDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-xl">
        <DialogTitle className="flex flex-wrap items-center gap-2">
          {t(actionLabel(imageTask.action))}
          <TaskStatus status={imageTask.status} />
        </DialogTitle>
        <DialogDescription className="font-mono text-xs break-all">{imageTask.mj_id || t("未提交")}</DialogDescription>
        <TaskImage url={imageTask.image_url} alt={imageTask.prompt} />
        <Facts imageTask={imageTask} />
        <TextFact label={t("失败原因")} value={imageTask.fail_reason} />
        <TextFact label={t("提示词")} value={imageTask.prompt} />
        <TextFact label={t("英文提示词")} value={imageTask.prompt_en} />
      </DialogContent>
    </Dialog>
  );
}
