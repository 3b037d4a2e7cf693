import { zodResolver } from "@hookform/resolvers/zod";
import type { AdminMessage } from "@turnpike/contract/api/message";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Controller, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { EditorSheet } from "../../components/form/editor-sheet.tsx";
import { showFormError } from "../../components/form/field-errors.ts";
import { Field } from "../../components/form/field.tsx";
import { LoadingSheet } from "../../components/form/loading-sheet.tsx";
import { Section } from "../../components/form/section.tsx";
import { Input } from "../../components/ui/input.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { notifySuccess } from "../../lib/toast.ts";
import { ContentField } from "./content-field.tsx";
import { toRequestBody, type MessageValues, NEW_MESSAGE, NewMessageForm, SentMessageForm } from "./message-form.ts";
import { adminMessageQuery, refreshMessages, sendMessage, updateMessage } from "./messages-api.ts";
import { RecipientPicker } from "./recipient-picker.tsx";

const FORMATS = [
  { value: "markdown", label: "Markdown" },
  { value: "html", label: "HTML" },
] as const;

const FIELDS_BY_CODE = {
  message_title_required: "title",
  message_content_required: "content",
  message_content_unsafe: "content",
  message_format_unsupported: "format",
  message_recipients_required: "recipients",
  message_recipient_unknown: "recipients",
} as const;

/** The sheet that writes a message or changes the one in the address. */
export function MessageEditor() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  const close = (): Promise<void> => navigate({ to: "/admin/messages", search: true });
  const message = useQuery({ ...adminMessageQuery(Number(id)), enabled: id !== undefined });
  if (id !== undefined && !message.data) {
    const { error, refetch } = message;
    return <LoadingSheet title={t("编辑消息")} error={error} onRetry={() => void refetch()} onClose={close} />;
  }
  return <MessageSheet key={id} message={message.data} onClose={close} />;
}

const toFormValues = ({ title, content, format }: AdminMessage): MessageValues => ({
  title,
  content,
  format: format === "html" ? "html" : "markdown",
  recipients: [],
});

type SheetProps = { readonly message: AdminMessage | undefined; readonly onClose: () => Promise<void> };

function MessageSheet({ message, onClose }: SheetProps) {
  const { t } = useTranslation();
  const form = useForm<MessageValues>({
    resolver: zodResolver(message ? SentMessageForm : NewMessageForm),
    mode: "onTouched",
    defaultValues: message ? toFormValues(message) : NEW_MESSAGE,
  });
  const { errors, isDirty } = form.formState;
  const save = useMutation({
    mutationFn: (values: MessageValues) => {
      const { user_ids, ...content } = toRequestBody(values);
      return message ? updateMessage(message.id, content) : sendMessage({ ...content, user_ids });
    },
    onSuccess: (_, { recipients }) => {
      form.reset(form.getValues());
      notifySuccess(message ? t("已保存") : t("已发送给 {{count}} 人", { count: recipients.length }));
    },
    onError: (error) => showFormError(form, error, FIELDS_BY_CODE),
    onSettled: refreshMessages,
  });
  return (
    <EditorSheet
      title={message ? t("编辑消息") : t("新建消息")}
      description={message ? t("修改对所有收件人生效，已读状态不变。") : t("消息会出现在收件人的收件箱里。")}
      isNew={!message}
      isDirty={isDirty}
      isSaving={save.isPending}
      submitLabel={message ? t("保存") : t("发送")}
      onClose={onClose}
      onSubmit={form.handleSubmit((values) => save.mutateAsync(values).then(onClose, () => undefined))}
    >
      <Section title={t("撰写")}>
        <Field label={t("标题")} required error={errors.title}>
          {(control) => <Input {...control} autoFocus={!message} autoComplete="off" {...form.register("title")} />}
        </Field>
        <Controller
          control={form.control}
          name="format"
          render={({ field, fieldState }) => (
            <Field label={t("格式")} error={fieldState.error}>
              {(control) => (
                <OptionSelect
                  {...control}
                  ref={field.ref}
                  className="h-9 sm:w-48"
                  value={field.value}
                  options={FORMATS}
                  onBlur={field.onBlur}
                  onValueChange={field.onChange}
                />
              )}
            </Field>
          )}
        />
        <ContentField form={form} />
      </Section>
      {!message && (
        <Section title={t("收件人")}>
          <Controller
            control={form.control}
            name="recipients"
            render={({ field, fieldState }) => (
              <Field
                label={t("已选 {{count}} 人", { count: field.value.length })}
                required
                // The error concerns the whole list, not one recipient.
                error={fieldState.error}
              >
                {(control) => <RecipientPicker control={control} chosen={field.value} onChange={field.onChange} />}
              </Field>
            )}
          />
        </Section>
      )}
    </EditorSheet>
  );
}
