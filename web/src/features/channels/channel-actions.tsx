import type { Channel } from "@turnpike/contract/api/channels/channel";
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
  ReceiptText,
  ScrollText,
  Trash2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import type { RowAction } from "../../components/data-table/actions/row-action.ts";
import { formatCount } from "../../lib/text/format.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { switchTag, updateBalance } from "./channel-bulk-api.ts";
import type { Row, TagRow } from "./channel-rows.ts";
import { deleteChannel, refreshChannels } from "../../domain/channels/channels-api.ts";
import { isChannelOn, switchChannel } from "../../domain/channels/switch-channel.ts";
import { useChannelTest } from "./runs/use-channel-test.ts";

/** Runs a change, shows its success, and refetches the list. */
export function useFinish() {
  return (work: Promise<unknown>, message: string): void => {
    void work.then(() => notifySuccess(message), notifyError).then(refreshChannels);
  };
}

/** Leaves the list for a page about one channel. */
function useGoTo() {
  const navigate = useNavigate();
  return {
    edit: (id: number): void => void navigate({ to: "/admin/channels/$id", params: { id: String(id) }, search: true }),
    health: (id: number): void =>
      void navigate({ to: "/admin/channels/$id/health", params: { id: String(id) }, search: true }),
    report: (id: number): void =>
      void navigate({ to: "/admin/channels/$id/report", params: { id: String(id) }, search: true }),
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
  const requestBalance = ({ id, name }: Channel): void => {
    const message = (balance: number) =>
      t("“{{name}}”的上游余额：{{balance}}", { name, balance: formatCount(balance) });
    void updateBalance(id)
      .then((balance) => notifySuccess(message(balance)), notifyError)
      .then(refreshChannels);
  };
  const toggle = (channel: Channel): RowAction => {
    const on = isChannelOn(channel);
    return {
      label: on ? t("禁用") : t("启用"),
      icon: on ? Ban : CircleCheck,
      frequent: true,
      onSelect: () => void switchChannel(channel),
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
      { label: t("上游账单"), icon: ReceiptText, onSelect: () => goTo.report(id) },
      { label: t("查询余额"), icon: CircleDollarSign, onSelect: () => requestBalance(channel) },
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

/** The actions of a row: on its channel, or on all channels of its tag. */
export function useRowActions(onPickModel: (channel: Channel) => void): (row: Row) => readonly RowAction[] {
  const ofChannel = useOneChannel(onPickModel);
  const ofTag = useOneTag();
  return (row) => (row.kind === "tag" ? ofTag(row) : ofChannel(row.channel));
}
