import { zodResolver } from "@hookform/resolvers/zod";
import type { Channel } from "@turnpike/contract/api/channel";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { EditorSheet } from "../../components/form/editor-sheet.tsx";
import { LoadingSheet } from "../../components/form/loading-sheet.tsx";
import { ApiError, describeError } from "../../lib/api-error.ts";
import { notifyError, notifyProblem, notifySuccess } from "../../lib/toast.ts";
import { ChannelAdvanced } from "./channel-advanced.tsx";
import { ChannelBasics } from "./channel-basics.tsx";
import {
  toRequestBody,
  channelForm,
  type ChannelValues,
  hasVersionPath,
  NEW_CHANNEL,
  toFormValues,
} from "./channel-form.ts";
import { channelQuery, createChannel, refreshChannels, updateChannel } from "../../domain/channels/channels-api.ts";
import { CUSTOM_TYPE } from "./type-fields.ts";

/** The sheet that makes a channel, copies one, or edits the one in the address. */
export function ChannelEditor() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  const { copy } = useSearch({ strict: false });
  const source = id === undefined ? copy : Number(id);
  const channel = useQuery({ ...channelQuery(source ?? 0), enabled: source !== undefined });
  const close = (): Promise<void> =>
    navigate({ to: "/admin/channels", search: (previous) => ({ ...previous, copy: undefined }) });
  if (source !== undefined && !channel.data) {
    return (
      <LoadingSheet
        title={t("编辑渠道")}
        error={channel.error}
        onRetry={() => void channel.refetch()}
        onClose={close}
      />
    );
  }
  if (id === undefined) return <ChannelSheet key="new" copied={channel.data} onClose={close} />;
  return <ChannelSheet key={id} channel={channel.data} onClose={close} />;
}

type ChannelSheetProps = {
  readonly channel?: Channel | undefined;
  readonly copied?: Channel | undefined;
  readonly onClose: () => Promise<void>;
};

/** Stores what the form holds: a change, a copy, or a new channel. */
function useSave({ channel, copied }: Pick<ChannelSheetProps, "channel" | "copied">) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: (values: ChannelValues) => {
      if (channel) return updateChannel({ ...toRequestBody(values), id: channel.id });
      return createChannel({ ...toRequestBody(values), ...(copied ? { copy_from: copied.id } : {}) });
    },
    onSuccess: (_, { name }) =>
      notifySuccess(channel ? t("已保存“{{name}}”", { name }) : t("已创建“{{name}}”", { name })),
    onError: (error) => {
      if (!copied || !(error instanceof ApiError)) return notifyError(error);
      const isGone = error.details.code === "channel_not_found";
      notifyProblem(
        isGone ? t("渠道未找到，请刷新页面后重试。") : t("渠道复制失败"),
        isGone ? "" : describeError(error, t),
      );
    },
    onSettled: refreshChannels,
  });
}

function ChannelSheet({ channel, copied, onClose }: ChannelSheetProps) {
  const { t } = useTranslation();
  const stored = channel ?? copied;
  const start = (): ChannelValues => {
    if (channel) return toFormValues(channel);
    return copied ? { ...toFormValues(copied), name: t("{{name}} 副本", { name: copied.name }) } : NEW_CHANNEL;
  };
  const form = useForm<ChannelValues>({
    resolver: zodResolver(channelForm(stored !== undefined)),
    mode: "onTouched",
    defaultValues: start(),
  });
  const { isDirty, errors, isSubmitted } = form.formState;
  const [advancedOpen, setAdvancedOpen] = useState(false);
  const advancedWrong =
    errors.model_mapping ??
    errors.status_code_mapping ??
    errors.param_override ??
    errors.setting ??
    errors.model_prefix;
  const save = useSave({ channel, copied });
  const submit = async (values: ChannelValues): Promise<void> => {
    const sure =
      !hasVersionPath(values.base_url) ||
      values.type === CUSTOM_TYPE ||
      (await confirm({
        title: t("地址以 /v1 结尾，确定吗？"),
        description: t("网关会自动加上 /v1，通常应填写不带 /v1 的地址。"),
        action: t("仍然保存"),
      }));
    if (sure) await save.mutateAsync(values).then(onClose, () => undefined);
  };
  return (
    <EditorSheet
      title={channel ? t("编辑渠道") : copied ? t("复制渠道") : t("新建渠道")}
      description={stored ? t("#{{id}} {{name}}", { id: stored.id, name: stored.name }) : t("连接一个上游账号。")}
      isNew={channel === undefined}
      isDirty={isDirty}
      isSaving={save.isPending}
      submitLabel={channel ? t("保存") : t("创建")}
      onClose={onClose}
      onSubmit={form.handleSubmit(submit)}
    >
      <ChannelBasics form={form} stored={stored} isCopy={copied !== undefined} />
      <ChannelAdvanced
        form={form}
        open={advancedOpen || (isSubmitted && advancedWrong !== undefined)}
        onOpenChange={setAdvancedOpen}
      />
    </EditorSheet>
  );
}
