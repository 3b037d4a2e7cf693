import type { GenericTask } from "@turnpike/contract/api/task";
import type { TFunction } from "i18next";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { Time } from "../../components/time.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { costColumn, headColumns, stateColumns } from "./shared-columns.tsx";
import { OneLine, TaskDuration, TaskId } from "./task-parts.tsx";

const PLATFORMS: Readonly<Record<string, string>> = { suno: "Suno" };

/** Columns of the task log; administrators also see the user and the channel. */
export const taskColumns = (
  t: TFunction,
  admin: boolean,
  onOpen: (task: GenericTask) => void,
): readonly DataColumn<GenericTask>[] => [
  ...headColumns<GenericTask>(t, admin),
  {
    id: "finished",
    label: t("完成时间"),
    startsHidden: true,
    cell: (task) => (task.finish_time > 0 ? <Time seconds={task.finish_time} exact /> : "—"),
  },
  {
    id: "duration",
    label: t("花费时间"),
    card: "fact",
    cell: (task) => <TaskDuration from={task.submit_time * 1000} to={task.finish_time * 1000} />,
  },
  {
    id: "platform",
    label: t("平台"),
    cell: (task) => <StatusBadge tone="outline">{PLATFORMS[task.platform] ?? task.platform}</StatusBadge>,
  },
  {
    id: "task",
    label: t("任务 ID"),
    card: "title",
    cell: (task) => <TaskId id={task.task_id} onOpen={() => onOpen(task)} />,
  },
  ...stateColumns<GenericTask>(t),
  { id: "input", label: t("提示词"), cell: (task) => <OneLine text={task.properties.input} /> },
  { id: "reason", label: t("失败原因"), cell: (task) => <OneLine text={task.fail_reason} /> },
  costColumn<GenericTask>(t),
];
