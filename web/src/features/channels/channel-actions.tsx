import type { Channel } from "@turnpike/contract/api/channel";
import { CHANNEL_STATUS } from "@turnpike/contract/limits";
import { useNavigate } from "@tanstack/react-router";
import {
  Activity,
  Ban,
  CircleCheck,
  CircleDollarSign,
  Copy,
  Gauge,
  ListChecks,
  Pencil,
  ScrollText,
  Trash2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import type { RowAction } from "../../components/data-table/row-actions.tsx";
import { formatCount } from "../../lib/format.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { switchTag, updateBalance } from "./channel-bulk-api.ts";
import type { Row, TagRow } from "./channel-rows.ts";
import { deleteChannel, refreshChannels, updateChannel } from "../../domain/channels/channels-api.ts";
import { useChannelTest } from "./use-channel-test.ts";

/** Runs a change, says that it happened, and reads the list again. */
export function useFinish() {
  return (work: Promise<unknown>, message: string): void => {
    void work.then(() => notifySuccess(message), notifyError).then(refreshChannels);
  };
}

/** Leaves the list for something that is about one channel. */
function useGoTo() {
  const navigate = useNavigate();
  return {
    edit: (id: number): void => void navigate({ to: "/admin/channels/$id", params: { id: String(id) }, search: true }),
    health: (id: number): void =>
      void navigate({ to: "/admin/channels/$id/health", params: { id: String(id) }, search: true }),
    copy: (id: number): void =>
      void navigate({ to: "/admin/channels/new", search: (previous) => ({ ...previous, copy: id }) }),
    logs: (id: number): void => void navigate({ to: "/app/logs/api-usage", search: { channel: id } }),
    tag: (tag: string): void => void navigate({ to: "/admin/channels/tags/$tag", params: { tag }, search: true }),
  };
}

function useOneChannel(onPickModel: (channel: Channel) => void): (channel: Channel) => readonly RowAction[] {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const finish = useFinish();
  const { testing, test } = useChannelTest();
  const remove = async ({ id, name }: Channel): Promise<void> => {
    const sure = await confirm({
      title: t("删除渠道“{{name}}”？", { name }),
      description: t("之后的调用不再经过这个渠道，此操作无法撤销。"),
      action: t("删除"),
      danger: true,
    });
    if (sure) finish(deleteChannel(id), t("已删除“{{name}}”", { name }));
  };
  const askBalance = ({ id, name }: Channel): void => {
    const said = (balance: number) => t("“{{name}}”的上游余额：{{balance}}", { name, balance: formatCount(balance) });
    void updateBalance(id)
      .then((balance) => notifySuccess(said(balance)), notifyError)
      .then(refreshChannels);
  };
  const toggle = ({ id, name, status }: Channel): RowAction => {
    const on = status === CHANNEL_STATUS.enabled;
    const next = on ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled;
    const said = on ? t("已禁用“{{name}}”", { name }) : t("已启用“{{name}}”", { name });
    return {
      label: on ? t("禁用") : t("启用"),
      icon: on ? Ban : CircleCheck,
      frequent: true,
      onSelect: () => finish(updateChannel({ id, status: next }), said),
    };
  };
  return (channel) => {
    const { id } = channel;
    return [
      { label: t("测试"), icon: Gauge, frequent: true, busy: testing.has(id), onSelect: () => void test(channel) },
      { label: t("编辑"), icon: Pencil, frequent: true, onSelect: () => goTo.edit(id) },
      toggle(channel),
      { label: t("选择模型测试"), icon: ListChecks, onSelect: () => onPickModel(channel) },
      { label: t("健康状况"), icon: Activity, onSelect: () => goTo.health(id) },
      { label: t("查询余额"), icon: CircleDollarSign, onSelect: () => askBalance(channel) },
      { label: t("复制渠道"), icon: Copy, onSelect: () => goTo.copy(id) },
      { label: t("查看日志"), icon: ScrollText, onSelect: () => goTo.logs(id) },
      { label: t("删除"), icon: Trash2, danger: true, onSelect: () => void remove(channel) },
    ];
  };
}

function useOneTag(): (row: TagRow) => readonly RowAction[] {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const finish = useFinish();
  return ({ tag }) => [
    { label: t("编辑标签"), icon: Pencil, frequent: true, onSelect: () => goTo.tag(tag) },
    {
      label: t("启用全部"),
      icon: CircleCheck,
      frequent: true,
      onSelect: () => finish(switchTag(tag, true), t("已启用标签“{{tag}}”的渠道", { tag })),
    },
    {
      label: t("禁用全部"),
      icon: Ban,
      frequent: true,
      onSelect: () => finish(switchTag(tag, false), t("已禁用标签“{{tag}}”的渠道", { tag })),
    },
  ];
}

/** What can be done with a row: with its channel, or with all channels of its tag. */
export function useRowActions(onPickModel: (channel: Channel) => void): (row: Row) => readonly RowAction[] {
  const ofChannel = useOneChannel(onPickModel);
  const ofTag = useOneTag();
  return (row) => (row.kind === "tag" ? ofTag(row) : ofChannel(row.channel));
}
