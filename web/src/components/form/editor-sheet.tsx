import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useOnce } from "../../hooks/use-once.ts";
import { useUnsavedGuard } from "./use-unsaved-guard.ts";
import { BusyButton } from "../busy-button.tsx";
import { Button } from "../ui/button.tsx";
import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "../ui/sheet.tsx";

type EditorSheetProps = {
  readonly title: string;
  readonly description: string;
  /** A new object is created: the first field takes the focus. */
  readonly isNew: boolean;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly submitLabel: string;
  /** A second way to submit, whose button has this value as `submitter`. */
  readonly also?: { readonly label: string; readonly value: string };
  /** Leaves the editor's address, after a question when changes would be lost. */
  readonly onClose: () => unknown;
  /** Resolves when everything is done, navigation included; until then nothing is sent again. */
  readonly onSubmit: (event: FormEvent) => Promise<unknown>;
  readonly children: ReactNode;
};

/** The side sheet of every editor; full screen on a phone. */
export function EditorSheet(props: EditorSheetProps) {
  const { t } = useTranslation();
  const once = useOnce();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    once(() => props.onSubmit(event));
  };
  useUnsavedGuard(props.isDirty && !props.isSaving);
  return (
    <Sheet open onOpenChange={(open) => !open && props.onClose()}>
      <SheetContent
        onInteractOutside={(event) => props.isDirty && event.preventDefault()}
        onOpenAutoFocus={(event) => {
          if (props.isNew) return;
          // An editor opens for reading: no field gets the focus, no phone keyboard opens.
          event.preventDefault();
          if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
        }}
      >
        <SheetHeader>
          <SheetTitle>{props.title}</SheetTitle>
          <SheetDescription>{props.description}</SheetDescription>
        </SheetHeader>
        <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
          <div className="flex flex-1 flex-col gap-6 overflow-y-auto px-5 py-5">{props.children}</div>
          <footer className="flex justify-end gap-2 border-t px-5 py-3">
            <Button variant="outline" onClick={props.onClose}>
              {t("取消")}
            </Button>
            {props.also && (
              <BusyButton variant="outline" type="submit" value={props.also.value} busy={props.isSaving}>
                {props.also.label}
              </BusyButton>
            )}
            <BusyButton type="submit" busy={props.isSaving}>
              {props.submitLabel}
            </BusyButton>
          </footer>
        </form>
      </SheetContent>
    </Sheet>
  );
}
