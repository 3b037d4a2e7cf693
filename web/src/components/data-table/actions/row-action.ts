import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactElement } from "react";

/** An action on one row. Frequent ones are buttons, the others are in a menu. */
export type RowAction = {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onSelect: () => void;
  readonly frequent?: boolean;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly busy?: boolean;
};

/** A menu of actions, and the button that opens it. */
export type ActionMenuProps = {
  readonly trigger: ReactElement<ComponentProps<"button">>;
  readonly actions: readonly RowAction[];
};
