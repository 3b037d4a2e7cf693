import { Slot } from "radix-ui";
import { type ComponentProps, type KeyboardEvent, type ReactElement, type ReactNode, Suspense, useState } from "react";

type LazyOverlayProps = {
  readonly kind: "menu" | "dialog";
  /** The button, which `children` shows too, as its trigger. */
  readonly trigger: ReactElement<ComponentProps<"button">>;
  /** Fetches the code of `children`. */
  readonly load: () => Promise<unknown>;
  /** The menu or dialog with its trigger, open when it is first rendered. */
  readonly children: ReactNode;
};

/** A button whose menu or dialog is fetched when it is first opened; hover and focus fetch it ahead. */
export function LazyOverlay({ kind, trigger, load, children }: LazyOverlayProps) {
  const [isOpened, setOpened] = useState(false);
  const prepare = (): void => void load().catch(() => undefined);
  const closed = (
    <Slot.Root
      aria-haspopup={kind}
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => setOpened(true)}
      onKeyDown={(event: KeyboardEvent) => {
        if (kind !== "menu" || event.key !== "ArrowDown") return;
        event.preventDefault();
        setOpened(true);
      }}
    >
      {trigger}
    </Slot.Root>
  );
  return isOpened ? <Suspense fallback={closed}>{children}</Suspense> : closed;
}
