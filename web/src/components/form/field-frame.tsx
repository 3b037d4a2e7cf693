import { type ReactNode, useId } from "react";
import { Label } from "../ui/label.tsx";
import { cn } from "../../lib/utils.ts";

/** Properties that a control needs to be linked with its label, its help and its error. */
export type ControlProps = {
  readonly id: string;
  readonly "aria-describedby": string;
  readonly "aria-invalid": true | undefined;
};

export type FieldFrameProps = {
  readonly label: string;
  /** Makes the label the name of a group of controls instead of one control. */
  readonly labelId?: string;
  /** One line: what the field does, its default, its unit. */
  readonly help?: ReactNode;
  /** The error, translated. */
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly className?: string;
  readonly children: (control: ControlProps) => ReactNode;
};

/** A labelled field with its error and its help under the control. */
export function FieldFrame({ label, labelId, help, error, required = false, className, children }: FieldFrameProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const text = (
    <>
      {label}
      {required && (
        <span className="ml-0.5 text-destructive" aria-hidden>
          *
        </span>
      )}
    </>
  );
  return (
    <div className={cn("flex min-w-0 flex-col gap-1.5", className)}>
      <Label id={labelId} asChild={labelId !== undefined} {...(labelId === undefined ? { htmlFor: id } : {})}>
        {labelId === undefined ? text : <span>{text}</span>}
      </Label>
      {children({ id, "aria-describedby": noteId, "aria-invalid": error === undefined ? undefined : true })}
      <div id={noteId} className="flex flex-col gap-0.5 text-[13px] empty:hidden">
        {error !== undefined && (
          <p role="alert" className="text-destructive">
            {error}
          </p>
        )}
        {help !== undefined && <div className="text-muted-foreground">{help}</div>}
      </div>
    </div>
  );
}
