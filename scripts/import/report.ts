/** Figures of source and target by table: a number of rows and sums. */
export type Figures = Readonly<Record<string, number>>;

const NOTES_SHOWN_MAX = 50;

/** Collects figures and notes, and reports whether source and target agree. */
export function createReport() {
  const tables = new Map<string, { source: Record<string, number>; target: Record<string, number> }>();
  const notes: string[] = [];
  let left = 0;
  const add = (table: string, side: "source" | "target", figures: Figures): void => {
    const sums = tables.get(table) ?? { source: {}, target: {} };
    tables.set(table, sums);
    for (const [name, value] of Object.entries(figures)) sums[side][name] = (sums[side][name] ?? 0) + value;
  };
  return {
    source: (table: string, figures: Figures): void => add(table, "source", figures),
    target: (table: string, figures: Figures): void => add(table, "target", figures),
    /** A note for the operator. */
    note(text: string): void {
      if (notes.length < NOTES_SHOWN_MAX) notes.push(text);
      else left++;
    },
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
      return [head, ...rows, ...notes.map((note) => `note: ${note}`), ...(left > 0 ? [`and ${left} more notes`] : [])];
    },
  };
}
export type Report = ReturnType<typeof createReport>;
