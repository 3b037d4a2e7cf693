import type { DrawingTask } from "@turnpike/contract/api/task";
import type { TFunction } from "i18next";
import { Image } from "lucide-react";
import type { DataColumn } from "../../components/data-table/columns.ts";
import { Button } from "../../components/ui/button.tsx";
import { costColumn, headColumns, stateColumns } from "../tasks/task-columns.tsx";
import { OneLine, TaskDuration, TaskId } from "../tasks/task-parts.tsx";
import { SubmitResult } from "./submit-result.tsx";

/** Columns of the drawing log; admins see whose drawing it is and where it was made. */
export const drawingColumns = (
  t: TFunction,
  admin: boolean,
  onOpen: (drawing: DrawingTask) => void,
): readonly DataColumn<DrawingTask>[] => [
  ...headColumns<DrawingTask>(t, admin),
  {
    id: "task",
    label: t("任务 ID"),
    card: "title",
    cell: (drawing) => <TaskId id={drawing.mj_id} onOpen={() => onOpen(drawing)} />,
  },
  { id: "code", label: t("提交结果"), cell: (drawing) => <SubmitResult code={drawing.code} /> },
  ...stateColumns<DrawingTask>(t),
  {
    id: "duration",
    label: t("花费时间"),
    card: "fact",
    cell: (drawing) => <TaskDuration from={drawing.submit_time} to={drawing.finish_time} />,
  },
  {
    id: "picture",
    label: t("结果图片"),
    card: "fact",
    cell: (drawing) =>
      drawing.image_url === "" ? (
        <span className="text-muted-foreground">—</span>
      ) : (
        <Button size="small" onClick={() => onOpen(drawing)}>
          <Image />
          {t("查看图片")}
        </Button>
      ),
  },
  { id: "prompt", label: t("提示词"), cell: (drawing) => <OneLine text={drawing.prompt} /> },
  {
    id: "prompt-en",
    label: t("英文提示词"),
    startsHidden: true,
    cell: (drawing) => <OneLine text={drawing.prompt_en} />,
  },
  { id: "reason", label: t("失败原因"), cell: (drawing) => <OneLine text={drawing.fail_reason} /> },
  costColumn<DrawingTask>(t),
];
