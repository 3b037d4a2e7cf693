import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { SmallFields } from "../../../components/form/small-fields.tsx";
import { Notice } from "../../../components/notice.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../../components/ui/dialog.tsx";
import { useSmallForm } from "../../../hooks/use-small-form.ts";
import { describeError } from "../../../lib/api/api-error.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { Code } from "../../../domain/identity/registration-form.ts";

const CodeForm = z.object({ code: Code });

type CodeDialogProps = {
  /** Texts are translated. */
  readonly title: string;
  readonly description: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly children?: ReactNode;
  readonly onCode: (code: string) => Promise<unknown>;
  readonly onClose: () => void;
};

/** Prompts for an authenticator code before an action. */
export function CodeDialog(props: CodeDialogProps) {
  const { t } = useTranslation();
  const form = useSmallForm(CodeForm, { code: "" });
  const send = useMutation({ mutationFn: props.onCode });
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()}>
      <DialogContent className="max-w-md">
        <DialogTitle>{props.title}</DialogTitle>
        <DialogDescription>{props.description}</DialogDescription>
        {props.children}
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={form.submit(({ code }) => send.mutateAsync(code.trim()).catch(() => undefined))}
        >
          {send.isError && <Notice tone="bad">{describeError(send.error, t)}</Notice>}
          <SmallFields
            form={form}
            fields={[{ name: "code", label: text("两步验证码"), autoComplete: "one-time-code", autoFocus: true }]}
          />
          <BusyButton
            type="submit"
            variant={props.isDangerous === true ? "destructive" : "default"}
            busy={send.isPending}
          >
            {props.action}
          </BusyButton>
        </form>
      </DialogContent>
    </Dialog>
  );
}
