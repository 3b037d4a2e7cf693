import { zodResolver } from "@hookform/resolvers/zod";
import type { Channel } from "@turnpike/contract/api/channels/channel";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { showFormError } from "../../../components/form/field-errors.ts";
import { EditorSheet } from "../../../components/form/editor-sheet.tsx";
import { LoadingSheet } from "../../../components/form/loading-sheet.tsx";
import { notifySuccess } from "../../../lib/toast.ts";
import { editTag, type TagEdit } from "../channel-bulk-api.ts";
import { taggedChannelsQuery, refreshChannels } from "../../../domain/channels/channels-api.ts";
import { TagFields } from "./tag-fields.tsx";
import { toTagEdit, TagForm, type TagValues, toTagValues } from "./tag-form.ts";

const FIELDS_BY_CODE = {
  channel_tag_required: "name",
  channel_tag_unchanged: "name",
  channel_priority_invalid: "priority",
  channel_weight_invalid: "weight",
  channel_models_required: "models",
  channel_model_name_invalid: "models",
  channel_mapping_invalid: "model_mapping",
} as const;

/** The sheet that changes all channels of the tag in the address. */
export function TagEditor() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tag = "" } = useParams({ strict: false });
  const channels = useQuery(taggedChannelsQuery(tag));
  const close = (): Promise<void> => navigate({ to: "/admin/channels", search: true });
  if (!channels.data) {
    return (
      <LoadingSheet
        title={t("编辑标签")}
        error={channels.error}
        onRetry={() => void channels.refetch()}
        onClose={close}
      />
    );
  }
  return <TagSheet key={tag} tag={tag} channels={channels.data} onClose={close} />;
}

type TagSheetProps = {
  readonly tag: string;
  readonly channels: readonly Channel[];
  readonly onClose: () => Promise<void>;
};

function TagSheet({ tag, channels, onClose }: TagSheetProps) {
  const { t } = useTranslation();
  const start = toTagValues(tag, channels);
  const form = useForm<TagValues>({ resolver: zodResolver(TagForm), mode: "onTouched", defaultValues: start });
  const save = useMutation({
    mutationFn: (edit: TagEdit) => editTag(edit),
    onSuccess: (count) => notifySuccess(t("已修改 {{count}} 个渠道", { count })),
    onError: (error) => showFormError(form, error, FIELDS_BY_CODE),
    onSettled: refreshChannels,
  });
  const submit = async (values: TagValues): Promise<void> => {
    const edit = toTagEdit(tag, start, values);
    if (edit) await save.mutateAsync(edit).then(onClose, () => undefined);
    else form.setError("name", { message: t("没有任何修改！") }, { shouldFocus: true });
  };
  return (
    <EditorSheet
      title={t("编辑标签")}
      description={t("{{tag}}：{{count}} 个渠道", { tag, count: channels.length })}
      isNew={false}
      isDirty={form.formState.isDirty}
      isSaving={save.isPending}
      submitLabel={t("保存")}
      onClose={onClose}
      onSubmit={form.handleSubmit(submit)}
    >
      <TagFields form={form} />
    </EditorSheet>
  );
}
