import type { Channel } from "@turnpike/contract/api/channel";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { Input } from "../../components/ui/input.tsx";
import { useOnce } from "../../hooks/use-once.ts";
import { describeError } from "../../lib/api-error.ts";
import { notifySuccess } from "../../lib/toast.ts";
import { tagChannels } from "./channel-bulk-api.ts";
import { getCommonValue } from "./channel-rows.ts";
import { refreshChannels } from "../../domain/channels/channels-api.ts";

type TagDialogProps = {
  readonly channels: readonly Channel[];
  readonly onDone: () => void;
  readonly onClose: () => void;
};

/** Gives several channels a tag, or takes theirs away. */
export function TagDialog({ channels, onDone, onClose }: TagDialogProps) {
  const { t } = useTranslation();
  const once = useOnce();
  const listId = useId();
  const [tag, setTag] = useState(() => getCommonValue(channels, (channel) => channel.tag) ?? "");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const known = [...new Set(channels.map((channel) => channel.tag).filter((name) => name !== ""))];
  const send = async (wanted: string | undefined): Promise<void> => {
    setBusy(true);
    try {
      const ids = channels.map(({ id }) => id);
      notifySuccess(t("已修改 {{count}} 个渠道", { count: await tagChannels(ids, wanted) }));
      onClose();
      onDone();
    } catch (error) {
      setProblem(describeError(error, t));
      setBusy(false);
    }
    await refreshChannels();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (tag.trim() === "") setProblem(t("标签不能为空！"));
    else once(() => send(tag.trim()));
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-sm">
        <DialogTitle>{t("设置标签")}</DialogTitle>
        <DialogDescription>
          {t("所选的 {{count}} 个渠道会得到这个标签。", { count: channels.length })}
        </DialogDescription>
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <FieldFrame label={t("标签")} error={problem}>
            {(control) => (
              <>
                <Input
                  {...control}
                  autoFocus
                  autoComplete="off"
                  list={listId}
                  value={tag}
                  onChange={(event) => {
                    setTag(event.target.value);
                    setProblem(undefined);
                  }}
                />
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
                disabled={busy}
                onClick={() => once(() => send(undefined))}
              >
                {t("移除标签")}
              </Button>
            )}
            <Button variant="outline" onClick={onClose}>
              {t("取消")}
            </Button>
            <BusyButton type="submit" busy={busy}>
              {t("确定")}
            </BusyButton>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
