import { useMutation } from "@tanstack/react-query";
import { z } from "zod/mini";
import { SmallFields } from "../../components/form/small-fields.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../components/ui/dialog.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { text } from "../../lib/text/i18n-source.ts";

const NAME_LENGTH_MAX = 50;
const LENGTH_PROBLEM = text("名称长度必须为1到50个字符");

const NameForm = z.object({
  name: z.string().check(z.trim(), z.minLength(1, LENGTH_PROBLEM), z.maxLength(NAME_LENGTH_MAX, LENGTH_PROBLEM)),
});

type NameDialogProps = {
  /** Texts are translated. */
  readonly title: string;
  readonly description: string;
  readonly action: string;
  readonly initial: string;
  readonly onName: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
};

/** Prompts for a passkey's name. */
export function NameDialog({ title, description, action, initial, onName, onClose }: NameDialogProps) {
  const form = useSmallForm(NameForm, { name: initial });
  const send = useMutation({ mutationFn: onName });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-md">
        <DialogTitle>{title}</DialogTitle>
        <DialogDescription>{description}</DialogDescription>
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={form.submit(({ name }) => send.mutateAsync(name).catch(() => undefined))}
        >
          <SmallFields
            form={form}
            fields={[{ name: "name", label: text("名称"), autoComplete: "off", autoFocus: true }]}
          />
          <BusyButton type="submit" busy={send.isPending}>
            {action}
          </BusyButton>
        </form>
      </DialogContent>
    </Dialog>
  );
}
