import type { Channel } from "@turnpike/contract/api/channels/channel";
import type { ChannelHours } from "@turnpike/contract/api/channels/channel-health";
import { getChannelType } from "@turnpike/contract/api/channels/channel-types";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { MoneySum } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Hint } from "../../components/hint.tsx";
import { LogLink } from "../../domain/logs/log-link.tsx";
import { formatCount } from "../../lib/text/format.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { splitCommaList } from "../../lib/text/comma-list.ts";
import { CHANNEL_PRIORITY_MIN, CHANNEL_WEIGHT_MIN } from "@turnpike/contract/limits";
import { ChannelName, TagName } from "./channel-names.tsx";
import {
  listChannels,
  getCommonValue,
  getRowName,
  listNames,
  getResponseTime,
  type Row,
  sumUsedQuota,
} from "./channel-rows.ts";
import { ChannelSparkline } from "./health/channel-sparkline.tsx";
import { ChannelState, ResponseTime, TagState } from "./channel-state.tsx";
import { HealthLink } from "./health/health-badge.tsx";
import { InlineNumber } from "./inline-number.tsx";

type ColumnActions = {
  /** Changes a channel, or all channels of a tag. */
  readonly save: (row: Row, change: { priority?: number; weight?: number }) => void;
  readonly toggleTag: (tag: string) => void;
  /** The last 24 hours of the listed channels. */
  readonly hours: ReadonlyMap<number, ChannelHours["hours"]>;
};

const RULES = {
  priority: { min: CHANNEL_PRIORITY_MIN, rule: text("优先级必须是整数！") },
  weight: { min: CHANNEL_WEIGHT_MIN, rule: text("权重必须是非负整数！") },
} as const;

const typeName = (channel: Channel, t: TFunction): string =>
  t(getChannelType(channel.type)?.name ?? t("类型 {{type}}", { type: channel.type }));

/** The usage of a row's channels; unknown while billing is unavailable. */
function UsedQuota({ row }: { readonly row: Row }) {
  const { t } = useTranslation();
  if (listChannels([row]).some((channel) => channel.used_quota_missing === true)) {
    const reason = t("计费服务暂时不可用，无法显示已用额度。");
    return (
      <Hint text={reason}>
        <span className="text-warn">
          {t("未知")}
          <span className="sr-only">{reason}</span>
        </span>
      </Hint>
    );
  }
  const sum = <MoneySum quota={sumUsedQuota(row)} />;
  return row.kind === "tag" ? sum : <LogLink filter={{ channel: row.channel.id }}>{sum}</LogLink>;
}

function Names({ names, label }: { readonly names: readonly string[]; readonly label: string }) {
  const [first, ...rest] = names;
  return (
    <Hint text={names.join("\n")}>
      <span className="inline-flex max-w-full items-center gap-1" aria-label={label}>
        {first !== undefined && <StatusBadge className="max-w-28">{first}</StatusBadge>}
        {rest.length > 0 && <StatusBadge tone="outline">+{rest.length}</StatusBadge>}
      </span>
    </Hint>
  );
}

/** A cell that only single channels have. */
const ofChannel =
  (cell: (channel: Channel) => ReturnType<DataColumn<Row>["cell"]>): DataColumn<Row>["cell"] =>
  (row) =>
    row.kind === "channel" ? cell(row.channel) : null;

/** Priority and weight, edited in place. */
function routingColumns(t: TFunction, { save }: ColumnActions): readonly DataColumn<Row>[] {
  const column = (id: "priority" | "weight", label: string, nameFor: (name: string) => string): DataColumn<Row> => ({
    id,
    label,
    align: "right",
    ...(id === "priority" ? { sortKey: id } : {}),
    cell: (row) => (
      <InlineNumber
        label={nameFor(getRowName(row))}
        value={getCommonValue(listChannels([row]), (channel) => channel[id])}
        {...RULES[id]}
        onSave={(value) => save(row, { [id]: value })}
      />
    ),
  });
  return [
    column("priority", t("优先级"), (name) => t("{{name}} 的优先级", { name })),
    column("weight", t("权重"), (name) => t("{{name}} 的权重", { name })),
  ];
}

/** Columns that are hidden by default. */
const rarerColumns = (t: TFunction): readonly DataColumn<Row>[] => [
  {
    id: "balance",
    label: t("上游余额"),
    align: "right",
    startsHidden: true,
    cell: ofChannel((channel) =>
      channel.balance_updated_time === 0 ? (
        <span className="text-muted-foreground">{t("未查询")}</span>
      ) : (
        <Hint text={<Time seconds={channel.balance_updated_time} exact />}>
          <span className="tabular-nums">{formatCount(channel.balance)}</span>
        </Hint>
      ),
    ),
  },
  {
    id: "key",
    label: t("密钥"),
    startsHidden: true,
    cell: ofChannel((channel) => (
      <code className="font-mono text-xs">
        ••••{channel.key_hint}
        {channel.key_count > 1 && ` × ${channel.key_count}`}
      </code>
    )),
  },
  {
    id: "base_url",
    label: t("地址"),
    startsHidden: true,
    cell: ofChannel((channel) => (
      <span className="block truncate font-mono text-xs" title={channel.base_url}>
        {channel.base_url === "" ? t("默认") : channel.base_url}
      </span>
    )),
  },
  {
    id: "tested",
    label: t("测试时间"),
    startsHidden: true,
    cell: ofChannel((channel) => (channel.test_time === 0 ? null : <Time seconds={channel.test_time} />)),
  },
  {
    id: "created",
    label: t("创建时间"),
    startsHidden: true,
    cell: ofChannel((channel) => <Time seconds={channel.created_time} />),
  },
];

/** Columns of the channel list, for channels and for tags; priority and weight are edited in place. */
export const channelColumns = (t: TFunction, actions: ColumnActions): readonly DataColumn<Row>[] => [
  {
    id: "id",
    label: "ID",
    sortKey: "id",
    cell: ofChannel((channel) => <span className="font-mono text-xs tabular-nums">{channel.id}</span>),
  },
  {
    id: "name",
    label: t("名称"),
    fixed: true,
    card: "title",
    className: "max-w-56",
    cell: (row) =>
      row.kind === "tag" ? <TagName row={row} onToggle={actions.toggleTag} /> : <ChannelName row={row} />,
  },
  {
    id: "type",
    label: t("类型"),
    card: "fact",
    cell: (row) => {
      const [first, ...rest] = listNames(row, (channel) => [typeName(channel, t)]);
      return <span className="whitespace-nowrap">{rest.length === 0 ? first : `${first} +${rest.length}`}</span>;
    },
  },
  {
    id: "status",
    label: t("状态"),
    card: "badge",
    cell: (row) => (row.kind === "tag" ? <TagState channels={row.channels} /> : <ChannelState channel={row.channel} />),
  },
  { id: "health", label: t("健康"), card: "fact", cell: ofChannel((channel) => <HealthLink channel={channel} />) },
  {
    id: "hours",
    label: t("24 小时"),
    cell: ofChannel((channel) => <ChannelSparkline name={channel.name} hours={actions.hours.get(channel.id)} />),
  },
  {
    id: "response",
    label: t("响应时间"),
    card: "fact",
    cell: (row) => (
      <ResponseTime
        ms={getResponseTime(listChannels([row]))}
        testedAt={row.kind === "channel" ? row.channel.test_time : 0}
        error={row.kind === "channel" ? row.channel.test_error : ""}
      />
    ),
  },
  {
    id: "used",
    label: t("已用额度"),
    align: "right",
    card: "fact",
    cell: (row) => <UsedQuota row={row} />,
  },
  ...routingColumns(t, actions),
  {
    id: "groups",
    label: t("所属分组"),
    startsHidden: true,
    cell: (row) => <Names names={listNames(row, ({ group }) => splitCommaList(group))} label={t("所属分组")} />,
  },
  {
    id: "models",
    label: t("模型列表"),
    cell: (row) => <Names names={listNames(row, ({ models }) => splitCommaList(models))} label={t("模型列表")} />,
  },
  ...rarerColumns(t),
];
