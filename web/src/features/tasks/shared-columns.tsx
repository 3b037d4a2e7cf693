import type { TFunction } from "i18next";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { Money } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { UserInfoButton } from "../../domain/users/user-info-button.tsx";
import { actionLabel } from "./task-actions.ts";
import { TaskProgress } from "./task-parts.tsx";
import { TaskStatus } from "./task-status.tsx";

/** The fields of a row that every task list has. */
export type AnyTask = {
  readonly created_at: number;
  readonly user_id: number;
  readonly username: string;
  readonly channel_id: number;
  readonly action: string;
  readonly status: string;
  readonly progress: string;
  readonly quota: number;
  readonly refunded_quota: number;
};

/** Time, channel and user: administrators see all of them, users the time. */
export const headColumns = <Row extends AnyTask>(t: TFunction, admin: boolean): readonly DataColumn<Row>[] => [
  {
    id: "submitted",
    label: t("提交时间"),
    fixed: true,
    card: "fact",
    cell: (task) => <Time seconds={task.created_at} exact />,
  },
  ...(admin
    ? [
        {
          id: "channel",
          label: t("所用渠道"),
          card: "fact",
          cell: (task) => (task.channel_id === 0 ? null : <StatusBadge>#{task.channel_id}</StatusBadge>),
        } satisfies DataColumn<Row>,
        {
          id: "user",
          label: t("用户"),
          card: "fact",
          cell: (task) => <UserInfoButton id={task.user_id} username={task.username || `#${task.user_id}`} />,
        } satisfies DataColumn<Row>,
      ]
    : []),
  {
    id: "action",
    label: t("类型"),
    card: "fact",
    cell: (task) => <StatusBadge tone="info">{t(actionLabel(task.action))}</StatusBadge>,
  },
];

/** Status and progress. */
export const stateColumns = <Row extends AnyTask>(t: TFunction): readonly DataColumn<Row>[] => [
  { id: "status", label: t("任务状态"), card: "badge", cell: (task) => <TaskStatus status={task.status} /> },
  {
    id: "progress",
    label: t("进度"),
    card: "fact",
    cell: (task) => <TaskProgress progress={task.progress} status={task.status} />,
  },
];

/** The cost of a task, and whether it was refunded. */
export const costColumn = <Row extends AnyTask>(t: TFunction): DataColumn<Row> => ({
  id: "cost",
  label: t("费用"),
  align: "right",
  card: "fact",
  cell: (task) => (
    <span className="inline-flex items-center gap-1.5">
      {task.refunded_quota > 0 && <StatusBadge tone="good">{t("已退还")}</StatusBadge>}
      <Money quota={task.quota} />
    </span>
  ),
});
