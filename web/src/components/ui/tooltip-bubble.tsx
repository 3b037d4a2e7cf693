import { type ComponentProps, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

export type HintSide = "top" | "right" | "bottom";

type HintBubbleProps = Pick<ComponentProps<"div">, "id" | "children" | "onPointerEnter" | "onPointerLeave"> & {
  readonly anchor: Element;
  readonly side: HintSide;
  readonly onClose: () => void;
};

const GAP = 4;
const EDGE = 8;

const between = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, value));

/** Puts the bubble beside the anchor, on the other side where there is no room, and wholly into the window. */
function place(bubble: HTMLElement, anchor: Element, side: HintSide): void {
  const at = anchor.getBoundingClientRect();
  const { width, height } = bubble.getBoundingClientRect();
  const above = at.top - height - GAP;
  const below = at.bottom + GAP;
  const fitsBelow = below + height + EDGE <= window.innerHeight;
  const left = side === "right" ? at.right + GAP : at.left + (at.width - width) / 2;
  const vertical = side === "bottom" ? (fitsBelow ? below : above) : above >= EDGE ? above : below;
  const top = side === "right" ? at.top + (at.height - height) / 2 : vertical;
  bubble.style.left = `${between(left, EDGE, window.innerWidth - width - EDGE)}px`;
  bubble.style.top = `${between(top, EDGE, window.innerHeight - height - EDGE)}px`;
}

/** The hint itself, over everything else. Esc and scrolling take it away. */
export function HintBubble({ anchor, side, onClose, ...props }: HintBubbleProps) {
  const bubble = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    if (bubble.current) place(bubble.current, anchor, side);
  });
  useEffect(() => {
    const onScroll = (event: Event): void => {
      if (event.target instanceof Node && event.target.contains(anchor)) close();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      // Only the hint: the dialog it may lie in stays.
      event.stopPropagation();
      close();
    };
    window.addEventListener("scroll", onScroll, true);
    window.addEventListener("keydown", onKey, true);
    return () => {
      window.removeEventListener("scroll", onScroll, true);
      window.removeEventListener("keydown", onKey, true);
    };
  }, [anchor]);
  return createPortal(
    <div
      ref={bubble}
      role="tooltip"
      className="pointer-events-auto fixed top-0 left-0 z-[60] w-max max-w-80 rounded-md bg-foreground px-2 py-1 text-xs break-words whitespace-pre-line text-background"
      {...props}
    />,
    document.body,
  );
}
