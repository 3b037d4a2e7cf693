import type { ImageTask } from "@turnpike/contract/api/task";
import type { TFunction } from "i18next";
import { Image } from "lucide-react";
import type { DataColumn } from "../../../components/data-table/columns/columns.ts";
import { Button } from "../../../components/ui/button.tsx";
import { costColumn, headColumns, stateColumns } from "../shared-columns.tsx";
import { OneLine, TaskDuration, TaskId } from "../task-parts.tsx";
import { SubmitResult } from "./submit-result.tsx";

/** Columns of the image task log; administrators also see the user and the channel. */
export const imageTaskColumns = (
  t: TFunction,
  admin: boolean,
  onOpen: (imageTask: ImageTask) => void,
): readonly DataColumn<ImageTask>[] => [
  ...headColumns<ImageTask>(t, admin),
  {
    id: "task",
    label: t("任务 ID"),
    card: "title",
    cell: (imageTask) => <TaskId id={imageTask.mj_id} onOpen={() => onOpen(imageTask)} />,
  },
  { id: "code", label: t("提交结果"), cell: (imageTask) => <SubmitResult code={imageTask.code} /> },
  ...stateColumns<ImageTask>(t),
  {
    id: "duration",
    label: t("花费时间"),
    card: "fact",
    cell: (imageTask) => <TaskDuration from={imageTask.submit_time} to={imageTask.finish_time} />,
  },
  {
    id: "picture",
    label: t("结果图片"),
    card: "fact",
    cell: (imageTask) =>
      imageTask.image_url === "" ? (
        <span className="text-muted-foreground">—</span>
      ) : (
        <Button variant="outline" size="sm" onClick={() => onOpen(imageTask)}>
          <Image />
          {t("查看图片")}
        </Button>
      ),
  },
  { id: "prompt", label: t("提示词"), cell: (imageTask) => <OneLine text={imageTask.prompt} /> },
  {
    id: "prompt-en",
    label: t("英文提示词"),
    startsHidden: true,
    cell: (imageTask) => <OneLine text={imageTask.prompt_en} />,
  },
  { id: "reason", label: t("失败原因"), cell: (imageTask) => <OneLine text={imageTask.fail_reason} /> },
  costColumn<ImageTask>(t),
];
