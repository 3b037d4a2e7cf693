import type { Overview, TopChannel, TopUser } from "@turnpike/contract/api/report";
import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../components/data-table/columns.ts";
import { RowsTable } from "../../components/data-table/rows-table.tsx";
import { Hint } from "../../components/hint.tsx";
import { Money } from "../../components/money.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "../../components/ui/card.tsx";
import { UserInfoDialog } from "../../domain/users/user-info-dialog.tsx";
import { formatCount, formatMilliseconds, formatShort } from "../../lib/format.ts";

type TopTableProps<Row> = {
  readonly title: string;
  readonly note: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly getRowId: (row: Row) => string;
};

function TopTable<Row extends object>({ title, note, ...table }: TopTableProps<Row>) {
  const { t } = useTranslation();
  return (
    <Card className="min-w-0">
      <CardHeader>
        <CardTitle>
          <h2>{title}</h2>
        </CardTitle>
        <CardDescription>{note}</CardDescription>
      </CardHeader>
      <CardContent>
        {table.rows.length === 0 ? (
          <p className="py-8 text-center text-muted-foreground">{t("这段时间没有调用。")}</p>
        ) : (
          <RowsTable label={title} {...table} />
        )}
      </CardContent>
    </Card>
  );
}

function Shortened({ count }: { readonly count: number }) {
  return (
    <Hint text={formatCount(count)}>
      <span>{formatShort(count)}</span>
    </Hint>
  );
}

type Consumer = { readonly quota: number; readonly count: number };

/** The columns that both tables have. */
const usageColumns = (t: TFunction): readonly DataColumn<Consumer>[] => [
  {
    id: "quota",
    label: t("消耗"),
    align: "right",
    card: "fact",
    value: (row) => row.quota,
    cell: (row) => <Money quota={row.quota} />,
  },
  {
    id: "count",
    label: t("调用次数"),
    align: "right",
    value: (row) => row.count,
    cell: (row) => <Shortened count={row.count} />,
  },
];

const userColumns = (t: TFunction): readonly DataColumn<TopUser>[] => [
  {
    id: "user",
    label: t("用户"),
    card: "title",
    className: "w-full max-w-0 truncate",
    value: (user) => user.username,
    cell: (user) => <UserInfoDialog id={user.user_id} username={user.username} />,
  },
  ...usageColumns(t),
  {
    id: "tokens",
    label: t("Token 数"),
    align: "right",
    value: (user) => user.token_used,
    cell: (user) => <Shortened count={user.token_used} />,
  },
];

const errorShare = ({ count, error_count }: TopChannel): number | undefined =>
  count + error_count === 0 ? undefined : error_count / (count + error_count);

const formatShare = (share: number | undefined): string => (share === undefined ? "—" : `${(share * 100).toFixed(1)}%`);

const channelColumns = (t: TFunction, errorsLogged: boolean): readonly DataColumn<TopChannel>[] => [
  {
    id: "channel",
    label: t("渠道名称"),
    card: "title",
    className: "w-full max-w-0 truncate",
    value: (channel) => channel.channel_name,
    cell: (channel) => (
      <Link
        to="/admin/channels/$id"
        params={{ id: String(channel.channel_id) }}
        className="underline-offset-4 hover:underline"
        title={channel.channel_name}
      >
        #{channel.channel_id} {channel.channel_name}
      </Link>
    ),
  },
  ...usageColumns(t),
  {
    id: "time",
    label: t("平均用时"),
    align: "right",
    value: (channel) => (channel.count === 0 ? undefined : channel.average_ms),
    cell: (channel) => (channel.count === 0 ? "—" : formatMilliseconds(channel.average_ms)),
  },
  ...(errorsLogged
    ? [
        {
          id: "errors",
          label: t("失败率"),
          align: "right",
          value: errorShare,
          cell: (channel: TopChannel) => formatShare(errorShare(channel)),
        } as const,
      ]
    : []),
];

/** The users who consumed most and the channels that served most; for admins. */
export function TopTables({ overview }: { readonly overview: Overview }) {
  const { t } = useTranslation();
  const { errors_logged: errorsLogged } = overview;
  const day = new Date(overview.first_day * 1000).toISOString().slice(0, 10);
  const note = t("自 {{day}} 起（UTC）", { day });
  const ofUsers = useMemo(() => userColumns(t), [t]);
  const ofChannels = useMemo(() => channelColumns(t, errorsLogged), [t, errorsLogged]);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <TopTable
        title={t("用量最多的用户")}
        note={note}
        columns={ofUsers}
        rows={overview.users}
        getRowId={(user) => String(user.user_id)}
      />
      <TopTable
        title={t("用量最多的渠道")}
        note={note}
        columns={ofChannels}
        rows={overview.channels}
        getRowId={(channel) => String(channel.channel_id)}
      />
    </div>
  );
}
