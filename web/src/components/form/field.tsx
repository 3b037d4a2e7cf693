import { type ReactNode, useId } from "react";
import type { FieldError } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/cn.ts";
import { Label } from "../ui/label.tsx";

/** What a control must carry so that its label, its help and its error belong to it. */
export type ControlProps = {
  readonly id: string;
  readonly "aria-describedby": string;
  readonly "aria-invalid": true | undefined;
};

type FieldProps = {
  readonly label: string;
  /** One line: what the field does, its default, its unit. */
  readonly help?: ReactNode;
  /** The source sentence of what is wrong. */
  readonly error?: FieldError | undefined;
  readonly required?: boolean;
  readonly className?: string;
  readonly children: (control: ControlProps) => ReactNode;
};

/** A labelled field with its help under the label and its error under the control. */
export function Field({ label, help, error, required = false, className, children }: FieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className={cn("flex min-w-0 flex-col gap-1.5", className)}>
      <Label htmlFor={id}>
        {label}
        {required && (
          <span className="ml-0.5 text-bad" aria-hidden>
            *
          </span>
        )}
      </Label>
      {children({ id, "aria-describedby": noteId, "aria-invalid": error ? true : undefined })}
      <div id={noteId} className="flex flex-col gap-0.5 text-[13px] empty:hidden">
        {error?.message !== undefined && (
          <p role="alert" className="text-bad">
            {t(error.message)}
          </p>
        )}
        {help !== undefined && <div className="text-muted-foreground">{help}</div>}
      </div>
    </div>
  );
}

type SwitchRowProps = {
  readonly label: string;
  readonly help?: string;
  readonly children: (control: { id: string; "aria-describedby": string }) => ReactNode;
};

/** A switch at the right of what it switches. */
export function SwitchRow({ label, help, children }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <Label htmlFor={id}>{label}</Label>
        <p id={`${id}-note`} className="text-[13px] text-muted-foreground">
          {help}
        </p>
      </div>
      {children({ id, "aria-describedby": `${id}-note` })}
    </div>
  );
}
