import { lazy } from "react";
import { LazyOverlay } from "../../lazy-overlay.tsx";
import type { ActionMenuProps } from "./row-action.ts";

const load = () => import("./action-menu-content.tsx");
const Content = lazy(async () => ({ default: (await load()).ActionMenuContent }));

/** A menu of actions behind the button `trigger`. */
export function ActionMenu(props: ActionMenuProps) {
  return (
    <LazyOverlay kind="menu" load={load} trigger={props.trigger}>
      <Content {...props} />
    </LazyOverlay>
  );
}
