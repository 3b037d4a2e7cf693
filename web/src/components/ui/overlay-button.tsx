import { Slot } from "radix-ui";
import { type MouseEvent, type ReactElement, type ReactNode, Suspense, useState } from "react";

/** What an overlay that has just been loaded needs: its button, and whether the keyboard asked for it. */
export type OverlayProps = { readonly trigger: ReactElement; readonly byKeyboard: boolean };

type OverlayButtonProps = {
  readonly kind: "menu" | "dialog";
  readonly button: ReactElement;
  /** Starts loading the overlay's code; called when the button is pointed at or focused. */
  readonly preload: () => unknown;
  /** The overlay, open from the start, around the button. */
  readonly children: (opened: OverlayProps) => ReactNode;
};

/** A button whose menu or dialog is loaded when it is first wanted. From then on the overlay keeps the button. */
export function OverlayButton({ kind, button, preload, children }: OverlayButtonProps) {
  const [opened, setOpened] = useState<OverlayProps>();
  const start = (): void => void Promise.resolve(preload()).catch(() => undefined);
  const waiting = (
    <Slot.Root
      aria-haspopup={kind}
      aria-expanded={false}
      onPointerEnter={start}
      onFocus={start}
      // A click without a pointer comes from Enter or Space.
      onClick={(event: MouseEvent) => setOpened({ trigger: button, byKeyboard: event.detail === 0 })}
    >
      {button}
    </Slot.Root>
  );
  if (!opened) return waiting;
  return <Suspense fallback={waiting}>{children({ ...opened, trigger: button })}</Suspense>;
}
