import type { Channel } from "@turnpike/contract/api/channel";
import { channelTypeOf } from "@turnpike/contract/api/channel-types";
import type { TFunction } from "i18next";
import type { DataColumn } from "../../components/data-table/columns.ts";
import { Money } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Hint } from "../../components/ui/tooltip.tsx";
import { splitNames } from "../../lib/names.ts";
import { PRIORITY_MIN, WEIGHT_MIN } from "./channel-limits.ts";
import { ChannelState, ResponseTime } from "./channel-state.tsx";
import { InlineNumber } from "./inline-number.tsx";

type Save = (channel: Channel, change: { priority?: number; weight?: number }) => void;

const typeName = (channel: Channel, t: TFunction): string =>
  t(channelTypeOf(channel.type)?.name ?? t("类型 {{type}}", { type: channel.type }));

function Names({ names, label }: { readonly names: readonly string[]; readonly label: string }) {
  const [first, ...rest] = names;
  return (
    <Hint text={names.join("\n")}>
      <span className="inline-flex max-w-full items-center gap-1" aria-label={label}>
        {first !== undefined && <Badge className="max-w-36">{first}</Badge>}
        {rest.length > 0 && <Badge tone="outline">+{rest.length}</Badge>}
      </span>
    </Hint>
  );
}

/** Columns of the channel list; priority and weight are edited in place. */
export const channelColumns = (t: TFunction, save: Save): readonly DataColumn<Channel>[] => [
  {
    id: "id",
    label: "ID",
    sortKey: "id",
    cell: (channel) => <span className="font-mono text-xs tabular-nums">{channel.id}</span>,
  },
  {
    id: "name",
    label: t("名称"),
    fixed: true,
    card: "title",
    className: "max-w-56",
    cell: (channel) => (
      <span className="flex items-center gap-1.5">
        <span className="truncate font-medium" title={channel.name}>
          {channel.name}
        </span>
        {channel.tag !== "" && <Badge tone="outline">{channel.tag}</Badge>}
      </span>
    ),
  },
  {
    id: "type",
    label: t("类型"),
    card: "fact",
    cell: (channel) => <span className="whitespace-nowrap">{typeName(channel, t)}</span>,
  },
  { id: "status", label: t("状态"), card: "badge", cell: (channel) => <ChannelState channel={channel} /> },
  { id: "response", label: t("响应时间"), card: "fact", cell: (channel) => <ResponseTime channel={channel} /> },
  {
    id: "used",
    label: t("已用额度"),
    align: "right",
    card: "fact",
    cell: (channel) => <Money quota={channel.used_quota} />,
  },
  {
    id: "priority",
    label: t("优先级"),
    align: "right",
    sortKey: "priority",
    cell: (channel) => (
      <InlineNumber
        label={t("{{name}} 的优先级", { name: channel.name })}
        value={channel.priority}
        min={PRIORITY_MIN}
        onSave={(priority) => save(channel, { priority })}
      />
    ),
  },
  {
    id: "weight",
    label: t("权重"),
    align: "right",
    cell: (channel) => (
      <InlineNumber
        label={t("{{name}} 的权重", { name: channel.name })}
        value={channel.weight}
        min={WEIGHT_MIN}
        onSave={(weight) => save(channel, { weight })}
      />
    ),
  },
  {
    id: "groups",
    label: t("所属分组"),
    cell: (channel) => <Names names={splitNames(channel.group)} label={t("所属分组")} />,
  },
  {
    id: "models",
    label: t("模型列表"),
    cell: (channel) => <Names names={splitNames(channel.models)} label={t("模型列表")} />,
  },
  {
    id: "key",
    label: t("密钥"),
    startsHidden: true,
    cell: (channel) => (
      <code className="font-mono text-xs">
        ••••{channel.key_hint}
        {channel.key_count > 1 && ` × ${channel.key_count}`}
      </code>
    ),
  },
  {
    id: "base_url",
    label: t("地址"),
    startsHidden: true,
    cell: (channel) => (
      <span className="block truncate font-mono text-xs" title={channel.base_url}>
        {channel.base_url === "" ? t("默认") : channel.base_url}
      </span>
    ),
  },
  {
    id: "created",
    label: t("创建时间"),
    startsHidden: true,
    cell: (channel) => <Time seconds={channel.created_time} />,
  },
];
