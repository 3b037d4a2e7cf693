import { zodResolver } from "@hookform/resolvers/zod";
import type { Channel } from "@turnpike/contract/api/channels/channel";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import i18next from "i18next";
import { type BaseSyntheticEvent, useState } from "react";
import { useForm, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { confirm } from "../../../components/confirm.ts";
import { EditorSheet } from "../../../components/form/editor-sheet.tsx";
import { showFormError } from "../../../components/form/field-errors.ts";
import { LoadingSheet } from "../../../components/form/loading-sheet.tsx";
import { ApiError, describeError } from "../../../lib/api/api-error.ts";
import { notifyProblem, notifySuccess } from "../../../lib/toast.ts";
import { ChannelAdvanced } from "./channel-advanced.tsx";
import { ChannelCostSection } from "./channel-cost.tsx";
import { ChannelBasics } from "./channel-basics.tsx";
import {
  toRequestBody,
  channelForm,
  type ChannelValues,
  hasVersionPath,
  NEW_CHANNEL,
  toFormValues,
} from "./channel-form.ts";
import {
  channelQuery,
  createChannel,
  refreshChannels,
  unpricedModelsQuery,
  updateChannel,
} from "../../../domain/channels/channels-api.ts";
import { queryClient } from "../../../lib/api/query-client.ts";
import { CUSTOM_TYPE } from "./type-fields.ts";
import { type PriceProposals, usePriceProposals } from "./channel-models-prices.tsx";
import { useChannelTest } from "../runs/use-channel-test.ts";

const UNPRICED_SHOWN_MAX = 10;
/** Fields of the folded sections: an invalid one opens its section. */
const ADVANCED_FIELDS = ["model_mapping", "status_code_mapping", "param_override", "setting", "model_prefix"] as const;
const COST_FIELDS = ["cost_factor", "cost_prices", "cost_group"] as const;
/** The submit button that also tests the saved channel. */
const TEST = "test";

/** The value of the button that submitted a form. */
function getSubmitter(event: BaseSyntheticEvent | undefined): string | undefined {
  const native: unknown = event?.nativeEvent;
  return native instanceof SubmitEvent && native.submitter instanceof HTMLButtonElement
    ? native.submitter.value
    : undefined;
}

/** The sheet that creates a channel, copies one, or edits the one in the address. */
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

/** Shows which models of a saved channel have no price: callers do not see them until one is set. */
async function warnAboutUnpriced(models: readonly string[]): Promise<void> {
  const all = await queryClient.fetchQuery({ ...unpricedModelsQuery, staleTime: 0 }).catch(() => []);
  const unpriced = all.filter((name) => models.some((model) => name.endsWith(model)));
  if (unpriced.length === 0) return;
  const message = i18next.t("{{count}} 个模型没有价格，调用方看不到它们，请先设置价格", { count: unpriced.length });
  notifyProblem(message, unpriced.slice(0, UNPRICED_SHOWN_MAX).join(", "));
}

/** Stores the form: a change, a copy, or a new channel. */
function useSave(
  form: UseFormReturn<ChannelValues>,
  { channel, copied, proposals }: Pick<ChannelSheetProps, "channel" | "copied"> & { proposals: PriceProposals },
) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: async (values: ChannelValues) => {
      // Prices first: a refused price leaves the form open, and a model is never offered without the price that was taken.
      await proposals.store(values.models);
      if (channel) return updateChannel({ ...toRequestBody(values), id: channel.id });
      return createChannel({ ...toRequestBody(values), ...(copied ? { copy_from: copied.id } : {}) });
    },
    onSuccess: (_, { name, models }) => {
      notifySuccess(channel ? t("已保存“{{name}}”", { name }) : t("已创建“{{name}}”", { name }));
      void warnAboutUnpriced(models);
    },
    onError: (error) => {
      if (!copied || !(error instanceof ApiError)) return showFormError(form, error);
      const isRemoved = error.details.code === "channel_not_found";
      notifyProblem(
        isRemoved ? t("渠道未找到，请刷新页面后重试。") : t("渠道复制失败"),
        isRemoved ? "" : describeError(error, t),
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
  const [costOpen, setCostOpen] = useState(false);
  const isWrong = (fields: readonly (keyof ChannelValues)[]): boolean =>
    isSubmitted && fields.some((field) => errors[field] !== undefined);
  const proposals = usePriceProposals();
  const save = useSave(form, { channel, copied, proposals });
  const { test } = useChannelTest();
  const submit = async (values: ChannelValues, event?: BaseSyntheticEvent): Promise<void> => {
    const sure =
      !hasVersionPath(values.base_url) ||
      values.type === CUSTOM_TYPE ||
      (await confirm({
        title: t("地址以 /v1 结尾，确定吗？"),
        description: t("网关会自动加上 /v1，通常应填写不带 /v1 的地址。"),
        action: t("仍然保存"),
      }));
    if (!sure) return;
    const saved = await save.mutateAsync(values).catch(() => undefined);
    if (!saved) return;
    if (getSubmitter(event) === TEST) void test(saved);
    await onClose();
  };
  return (
    <EditorSheet
      title={channel ? t("编辑渠道") : copied ? t("复制渠道") : t("新建渠道")}
      description={stored ? t("#{{id}} {{name}}", { id: stored.id, name: stored.name }) : t("连接一个上游账号。")}
      isNew={channel === undefined}
      isDirty={isDirty}
      isSaving={save.isPending}
      submitLabel={channel ? t("保存") : t("创建")}
      also={{ label: channel ? t("保存并测试") : t("创建并测试"), value: TEST }}
      onClose={onClose}
      onSubmit={form.handleSubmit(submit)}
    >
      <ChannelBasics form={form} stored={stored} isCopy={copied !== undefined} proposals={proposals} />
      <ChannelAdvanced form={form} open={advancedOpen || isWrong(ADVANCED_FIELDS)} onOpenChange={setAdvancedOpen} />
      <ChannelCostSection
        form={form}
        channelId={channel?.id}
        open={costOpen || isWrong(COST_FIELDS)}
        onOpenChange={setCostOpen}
      />
    </EditorSheet>
  );
}
