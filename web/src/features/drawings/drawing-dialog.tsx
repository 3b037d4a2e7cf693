import type { DrawingTask } from "@turnpike/contract/api/task";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../components/ui/dialog.tsx";
import { actionLabel } from "../tasks/task-actions.ts";
import { Fact, TaskDuration, TaskProgress, TextFact } from "../tasks/task-parts.tsx";
import { TaskStatus } from "../tasks/task-states.tsx";
import { DrawingPicture } from "./drawing-picture.tsx";
import { SubmitResult } from "./submit-result.tsx";

type DrawingDialogProps = { readonly drawing: DrawingTask; readonly onClose: () => void };

function Facts({ drawing }: Pick<DrawingDialogProps, "drawing">) {
  const { t } = useTranslation();
  const moment = (ms: number) => (ms > 0 ? <Time seconds={Math.floor(ms / 1000)} exact /> : "—");
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      <Fact label={t("提交结果")}>
        <SubmitResult code={drawing.code} />
      </Fact>
      <Fact label={t("提交时间")}>{moment(drawing.submit_time)}</Fact>
      <Fact label={t("开始执行时间")}>{moment(drawing.start_time)}</Fact>
      <Fact label={t("完成时间")}>{moment(drawing.finish_time)}</Fact>
      <Fact label={t("花费时间")}>
        <TaskDuration from={drawing.submit_time} to={drawing.finish_time} />
      </Fact>
      <Fact label={t("进度")}>
        <TaskProgress progress={drawing.progress} status={drawing.status} />
      </Fact>
      <Fact label={t("费用")}>
        <Money quota={drawing.quota} />
      </Fact>
      {drawing.refunded_quota > 0 && (
        <Fact label={t("已退还")}>
          <Money quota={drawing.refunded_quota} />
        </Fact>
      )}
    </dl>
  );
}

/** What there is to know of a drawing, its picture first. */
export function DrawingDialog({ drawing, onClose }: DrawingDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-xl">
        <DialogTitle className="flex flex-wrap items-center gap-2">
          {t(actionLabel(drawing.action))}
          <TaskStatus status={drawing.status} />
        </DialogTitle>
        <DialogDescription className="font-mono text-xs break-all">{drawing.mj_id || t("未提交")}</DialogDescription>
        <DrawingPicture url={drawing.image_url} alt={drawing.prompt} />
        <Facts drawing={drawing} />
        <TextFact label={t("失败原因")} value={drawing.fail_reason} />
        <TextFact label={t("提示词")} value={drawing.prompt} />
        <TextFact label={t("英文提示词")} value={drawing.prompt_en} />
      </DialogContent>
    </Dialog>
  );
}
