import type { ReactNode } from "react";

/** A column of a DataTable. `label` is translated text. */
export type DataColumn<Row> = {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: "left" | "right";
  /** Where the column goes on a phone: the card's first line, one of its facts, or not at all. */
  readonly card?: "title" | "badge" | "fact" | "none";
  /** A column that cannot be hidden. */
  readonly fixed?: boolean;
  /** A column that starts hidden. */
  readonly startsHidden?: boolean;
  /** The value of the table's `sort` that this column's header sets. */
  readonly sortKey?: string;
  readonly className?: string;
};
