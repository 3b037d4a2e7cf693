import type { Overview, TopChannel, TopUser } from "@turnpike/contract/api/report";
import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { Hint } from "../../components/hint.tsx";
import { MoneySum } from "../../components/money.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "../../components/ui/card.tsx";
import { type FigureFilter, LogLink } from "../../domain/logs/log-link.tsx";
import { formatCount, formatMilliseconds, formatShort } from "../../lib/text/format.ts";

type TimeSpan = NonNullable<FigureFilter["span"]>;

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
          <DataTable label={title} {...table} />
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

/** The columns that both tables have; their figures lead to the rows in the log. */
const usageColumns = <Row extends Consumer>(
  t: TFunction,
  getFilter: (row: Row) => FigureFilter,
): readonly DataColumn<Row>[] => [
  {
    id: "quota",
    label: t("消耗"),
    align: "right",
    card: "fact",
    value: (row) => row.quota,
    cell: (row) => (
      <LogLink filter={getFilter(row)}>
        <MoneySum quota={row.quota} />
      </LogLink>
    ),
  },
  {
    id: "count",
    label: t("调用次数"),
    align: "right",
    value: (row) => row.count,
    cell: (row) => (
      <LogLink filter={getFilter(row)}>
        <Shortened count={row.count} />
      </LogLink>
    ),
  },
];

const userColumns = (t: TFunction, span: TimeSpan): readonly DataColumn<TopUser>[] => [
  {
    id: "user",
    label: t("用户"),
    card: "title",
    className: "w-full max-w-0 truncate",
    value: (user) => user.username,
    cell: (user) => (
      <Link
        to="."
        search={(search) => ({ ...search, user: user.username, model: undefined })}
        resetScroll
        className="underline-offset-4 hover:underline"
      >
        {user.username}
      </Link>
    ),
  },
  ...usageColumns<TopUser>(t, ({ username }) => ({ username, span })),
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

const channelColumns = (t: TFunction, span: TimeSpan, errorsLogged: boolean): readonly DataColumn<TopChannel>[] => [
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
  ...usageColumns<TopChannel>(t, ({ channel_id: channel }) => ({ channel, span })),
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
          cell: (channel: TopChannel) => (
            <LogLink filter={{ failed: true, channel: channel.channel_id, span }}>
              {formatShare(errorShare(channel))}
            </LogLink>
          ),
        } as const,
      ]
    : []),
];

type TopTablesProps = { readonly overview: Overview; readonly endSeconds: number };

/** The users who consumed most and the channels that served most; for administrators. */
export function TopTables({ overview, endSeconds }: TopTablesProps) {
  const { t } = useTranslation();
  const { errors_logged: errorsLogged } = overview;
  const day = new Date(overview.first_day * 1000).toISOString().slice(0, 10);
  const note = t("自 {{day}} 起（UTC）", { day });
  // The figures are of whole days.
  const span = useMemo(() => ({ startSeconds: overview.first_day, endSeconds }), [overview.first_day, endSeconds]);
  const ofUsers = useMemo(() => userColumns(t, span), [t, span]);
  const ofChannels = useMemo(() => channelColumns(t, span, errorsLogged), [t, span, errorsLogged]);
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
