import type { ReactNode } from "react";

/** A column of a table. `label` is translated text. */
export type DataColumn<Row> = {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: "left" | "right";
  /** The column's place on a phone: the card's first line, a badge next to it, one of its facts, or not shown. */
  readonly card?: "title" | "badge" | "fact" | "none";
  /** A column that cannot be hidden. */
  readonly fixed?: boolean;
  /** A column that is hidden until the user shows it. */
  readonly startsHidden?: boolean;
  /** The value of the address's `sort` that this column's header sets, for server-side sorting. */
  readonly sortKey?: string;
  /** The sort value, for sorting in the browser. */
  readonly value?: (row: Row) => string | number | undefined;
  readonly className?: string;
  /** Left out on narrow screens, for tables that stay tables there. */
  readonly wideOnly?: boolean;
};
