import { Slot } from "radix-ui";
import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { HintBubble, type HintSide } from "./tooltip-bubble.tsx";

type HintProps = { readonly text: ReactNode; readonly children: ReactNode; readonly side?: HintSide };

const OPEN_AFTER_MS = 300;
// Long enough to move from the child onto the hint, which may be read and selected.
const CLOSE_AFTER_MS = 120;
// Who reads one hint after the other does not wait again.
const EAGER_FOR_MS = 300;

let lastClosedAt = 0;

function useHint() {
  const [anchor, setAnchor] = useState<Element>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const after = (ms: number, next: Element | undefined): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAnchor(next), ms);
  };
  const close = (): void => {
    clearTimeout(timer.current);
    setAnchor(undefined);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!anchor) return;
    return () => {
      lastClosedAt = Date.now();
    };
  }, [anchor]);
  return {
    anchor,
    close,
    keep: (): void => clearTimeout(timer.current),
    leave: (): void => after(CLOSE_AFTER_MS, undefined),
    enter: (event: PointerEvent): void => {
      if (event.pointerType === "touch") return;
      after(Date.now() - lastClosedAt < EAGER_FOR_MS ? 0 : OPEN_AFTER_MS, event.currentTarget);
    },
    focus: (event: FocusEvent): void => {
      if (event.currentTarget.matches(":focus-visible")) setAnchor(event.currentTarget);
    },
  };
}

function Hinted({ text, children, side = "top" }: HintProps) {
  const id = useId();
  const { anchor, close, keep, leave, enter, focus } = useHint();
  return (
    <>
      <Slot.Root
        aria-describedby={anchor && id}
        onPointerEnter={enter}
        onPointerLeave={leave}
        onPointerDown={close}
        onFocus={focus}
        onBlur={close}
      >
        {children}
      </Slot.Root>
      {anchor && (
        <HintBubble id={id} anchor={anchor} side={side} onClose={close} onPointerEnter={keep} onPointerLeave={leave}>
          {text}
        </HintBubble>
      )}
    </>
  );
}

/** Shows `text` over its child on hover and focus; the child is focusable where keyboards need it. */
export function Hint(props: HintProps) {
  if (props.text === undefined || props.text === "") return <>{props.children}</>;
  return <Hinted {...props} />;
}
