import type { Channel } from "@turnpike/contract/api/channels/channel";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../../components/ui/dialog.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { useSmallForm } from "../../../hooks/use-small-form.ts";
import { describeError } from "../../../lib/api/api-error.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { notifySuccess } from "../../../lib/toast.ts";
import { tagChannels } from "../channel-bulk-api.ts";
import { getCommonValue } from "../channel-rows.ts";
import { refreshChannels } from "../../../domain/channels/channels-api.ts";

type TagDialogProps = {
  readonly channels: readonly Channel[];
  readonly onDone: () => void;
  readonly onClose: () => void;
};

const TagForm = z.object({ tag: z.string().check(z.trim(), z.minLength(1, text("标签不能为空！"))) });

/** Sets or removes the tag of several channels. */
export function TagDialog({ channels, onDone, onClose }: TagDialogProps) {
  const { t } = useTranslation();
  const listId = useId();
  const form = useSmallForm(TagForm, { tag: getCommonValue(channels, (channel) => channel.tag) ?? "" });
  const error = form.getError("tag");
  const known = [...new Set(channels.map((channel) => channel.tag).filter((name) => name !== ""))];
  const tagAll = useMutation({
    mutationFn: (tag: string | undefined) =>
      tagChannels(
        channels.map(({ id }) => id),
        tag,
      ),
    onSuccess: (count) => {
      notifySuccess(t("已修改 {{count}} 个渠道", { count }));
      onClose();
      onDone();
    },
    onError: (failure) => form.showError("tag", describeError(failure, t)),
    onSettled: refreshChannels,
  });
  const send = (tag: string | undefined): Promise<unknown> => tagAll.mutateAsync(tag).catch(() => undefined);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-sm">
        <DialogTitle>{t("设置标签")}</DialogTitle>
        <DialogDescription>
          {t("所选的 {{count}} 个渠道会得到这个标签。", { count: channels.length })}
        </DialogDescription>
        <form noValidate onSubmit={form.submit(({ tag }) => send(tag))} className="flex flex-col gap-4">
          <FieldFrame label={t("标签")} error={error && t(error)}>
            {(control) => (
              <>
                <Input {...control} {...form.field("tag")} autoFocus autoComplete="off" list={listId} />
                <datalist id={listId}>
                  {known.map((name) => (
                    <option key={name} value={name} />
                  ))}
                </datalist>
              </>
            )}
          </FieldFrame>
          <DialogFooter>
            {known.length > 0 && (
              <Button
                variant="outline"
                className="mr-auto text-destructive"
                disabled={tagAll.isPending}
                onClick={() => void send(undefined)}
              >
                {t("移除标签")}
              </Button>
            )}
            <Button variant="outline" onClick={onClose}>
              {t("取消")}
            </Button>
            <BusyButton type="submit" busy={tagAll.isPending}>
              {t("确定")}
            </BusyButton>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
