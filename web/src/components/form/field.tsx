import { type ReactNode, useId } from "react";
import type { FieldError } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Label } from "../ui/label.tsx";
import { FieldFrame, type FieldFrameProps } from "./field-frame.tsx";

type FieldProps = Omit<FieldFrameProps, "error"> & {
  /** The form's error; its message is a source sentence. */
  readonly error?: FieldError | undefined;
};

/** A field of a form: its frame, with the form's message translated. */
export function Field({ error, ...frame }: FieldProps) {
  const { t } = useTranslation();
  return <FieldFrame {...frame} error={error?.message === undefined ? undefined : t(error.message)} />;
}

type SwitchRowProps = {
  readonly label: string;
  readonly help?: string;
  readonly children: (control: { id: string; "aria-describedby": string }) => ReactNode;
};

/** A switch at the right of its label. */
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
