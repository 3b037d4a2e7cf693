/** Figures of source and target by table: a number of rows and sums. */
export type Figures = Readonly<Record<string, number>>;

const NOTES_SHOWN_MAX = 50;
/** How many rows of a table are read between two reports of progress. */
const PROGRESS_ROWS = 10_000;

/**
 * Collects figures and notes, and reports whether source and target agree. `onProgress` receives the rows read so far of
 * a long table.
 */
export function createReport(onProgress: (table: string, rows: number) => void = () => undefined) {
  const tables = new Map<string, { source: Record<string, number>; target: Record<string, number> }>();
  const statements: string[] = [];
  const notes: string[] = [];
  let left = 0;
  const add = (table: string, side: "source" | "target", figures: Figures): void => {
    const sums = tables.get(table) ?? { source: {}, target: {} };
    tables.set(table, sums);
    for (const [name, value] of Object.entries(figures)) sums[side][name] = (sums[side][name] ?? 0) + value;
  };
  return {
    source(table: string, figures: Figures): void {
      const before = tables.get(table)?.source["rows"] ?? 0;
      add(table, "source", figures);
      const rows = tables.get(table)?.source["rows"] ?? 0;
      if (Math.floor(rows / PROGRESS_ROWS) > Math.floor(before / PROGRESS_ROWS)) onProgress(table, rows);
    },
    target: (table: string, figures: Figures): void => add(table, "target", figures),
    /** A sum or a fact about the whole source; always shown. */
    state: (text: string): void => void statements.push(text),
    /** A note about one row; the first ones are shown, and the number of the others. */
    note(text: string): void {
      if (notes.length < NOTES_SHOWN_MAX) notes.push(text);
      else left++;
    },
    /** Rows of the source that fit. */
    countRows: (table: string): number => tables.get(table)?.source["rows"] ?? 0,
    isEqual: (): boolean =>
      [...tables.values()].every(({ source, target }) =>
        Object.keys({ ...source, ...target }).every((name) => (source[name] ?? 0) === (target[name] ?? 0)),
      ),
    lines(withTarget: boolean): string[] {
      const rows = [...tables].flatMap(([table, { source, target }]) =>
        Object.keys({ ...source, ...target }).map((name) => {
          const [from, to] = [source[name] ?? 0, target[name] ?? 0];
          const there = withTarget ? `${String(to).padStart(18)}  ${from === to ? "equal" : "DIFFERENT"}` : "";
          return `${table.padEnd(14)} ${name.padEnd(16)} ${String(from).padStart(18)}${there}`;
        }),
      );
      const head = `${"table".padEnd(14)} ${"figure".padEnd(16)} ${"source".padStart(18)}${withTarget ? "target".padStart(18) : ""}`;
      return [
        head,
        ...rows,
        ...[...statements, ...notes].map((note) => `note: ${note}`),
        ...(left > 0 ? [`and ${left} more notes`] : []),
      ];
    },
  };
}
export type Report = ReturnType<typeof createReport>;
