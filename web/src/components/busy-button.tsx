import type { ComponentProps } from "react";
import { Button } from "./ui/button.tsx";
import { Spinner } from "./ui/spinner.tsx";

type BusyButtonProps = Omit<ComponentProps<typeof Button>, "asChild"> & { readonly busy: boolean };

/** A button that shows a spinner and is disabled while its action runs. */
export function BusyButton({ busy, disabled, children, ...props }: BusyButtonProps) {
  return (
    <Button disabled={disabled === true || busy} aria-busy={busy ? true : undefined} {...props}>
      {busy && <Spinner />}
      {children}
    </Button>
  );
}
