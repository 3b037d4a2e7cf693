import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../../components/ui/dialog.tsx";
import { NativeSelect, NativeSelectOption } from "../../../components/ui/native-select.tsx";
import { groupNamesQuery, moveGroup } from "../../../domain/groups/groups-api.ts";
import { ApiError, describeError } from "../../../lib/api/api-error.ts";

/** A group that was to be removed while others are in it. */
export type HeldGroup = {
  readonly name: string;
  readonly users: number;
  readonly tokens: number;
  readonly channels: number;
};

/** The group that a refused change of the groups would have removed; undefined for every other error. */
export function getHeldGroup(error: unknown): HeldGroup | undefined {
  if (!(error instanceof ApiError) || error.details.code !== "group_in_use") return undefined;
  const { group = "", users, tokens, channels } = error.details.params ?? {};
  return { name: group, users: Number(users), tokens: Number(tokens), channels: Number(channels) };
}

type MoveGroupDialogProps = {
  readonly group: HeldGroup;
  readonly onMoved: () => void;
  readonly onClose: () => void;
};

/** Moves the users, tokens and channels of a group that is to be removed. */
export function MoveGroupDialog({ group, onMoved, onClose }: MoveGroupDialogProps) {
  const { t } = useTranslation();
  const [target, setTarget] = useState("");
  const names = (useQuery(groupNamesQuery).data ?? []).filter((name) => name !== group.name);
  const move = useMutation({ mutationFn: () => moveGroup(group.name, target), onSuccess: onMoved });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-md">
        <DialogTitle>{t("分组“{{name}}”仍在使用", { name: group.name })}</DialogTitle>
        <DialogDescription>
          {t("{{users}} 个用户、{{tokens}} 个令牌和 {{channels}} 个渠道属于此分组。移走之后才能删除它。", group)}
        </DialogDescription>
        <FieldFrame label={t("移到")} error={move.error ? describeError(move.error, t) : undefined}>
          {(control) => (
            <NativeSelect {...control} value={target} onChange={(event) => setTarget(event.target.value)}>
              <NativeSelectOption value="" disabled>
                {t("选择一个分组")}
              </NativeSelectOption>
              {names.map((name) => (
                <NativeSelectOption key={name} value={name}>
                  {name}
                </NativeSelectOption>
              ))}
            </NativeSelect>
          )}
        </FieldFrame>
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            {t("取消")}
          </Button>
          <BusyButton busy={move.isPending} disabled={target === ""} onClick={() => move.mutate()}>
            {t("移走并删除分组")}
          </BusyButton>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
