import type { ReactNode, SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../../components/ui/dialog.tsx";

type OrderDialogProps = {
  readonly title: string;
  readonly description: string;
  readonly submitLabel: string;
  /** Whether the decision takes something away. */
  readonly danger?: boolean;
  readonly busy: boolean;
  readonly onSubmit: (event: SyntheticEvent) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** The form of a decision about an order. */
export function OrderDialog(props: OrderDialogProps) {
  const { title, description, submitLabel, danger = false, busy, onSubmit, onClose, children } = props;
  const { t } = useTranslation();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-md">
        <DialogTitle>{title}</DialogTitle>
        <DialogDescription>{description}</DialogDescription>
        <form noValidate className="flex flex-col gap-4" onSubmit={onSubmit}>
          {children}
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t("取消")}
            </Button>
            <BusyButton type="submit" variant={danger ? "destructive" : "default"} busy={busy}>
              {submitLabel}
            </BusyButton>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
