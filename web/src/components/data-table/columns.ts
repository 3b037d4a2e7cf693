import type { ReactNode } from "react";

/** A column of a table. `label` is translated text. */
export type DataColumn<Row> = {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: "left" | "right";
  /** Where the column goes on a phone: the card's first line, a badge beside it, one of its facts, or not at all. */
  readonly card?: "title" | "badge" | "fact" | "none";
  /** A column that cannot be hidden. */
  readonly fixed?: boolean;
  /** A column that is hidden until the reader shows it. */
  readonly startsHidden?: boolean;
  /** The value of the address's `sort` that this column's header sets, where the server sorts. */
  readonly sortKey?: string;
  /** What the browser sorts by, where all rows are in the browser. */
  readonly value?: (row: Row) => string | number | undefined;
  readonly className?: string;
};
