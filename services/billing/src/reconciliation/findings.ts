/** What a check examined and what did not match. */
export type Findings = ReturnType<typeof createFindings>;

const SHOWN_MAX = 200;

/** Collects counts and mismatches. */
export function createFindings() {
  const counts = new Map<string, number>();
  const problems: string[] = [];
  let problemCount = 0;
  return {
    count: (what: string, by = 1): void => void counts.set(what, (counts.get(what) ?? 0) + by),
    problem(text: string): void {
      problemCount++;
      if (problems.length < SHOWN_MAX) problems.push(text);
    },
    /** Records a problem unless the two figures are equal. */
    same(what: string, actual: number, expected: number): void {
      if (actual !== expected) this.problem(`${what}: ${actual}, but should be ${expected}`);
    },
    isClean: (): boolean => problemCount === 0,
    lines: (): string[] => [
      ...[...counts].map(([what, count]) => `${what}: ${count}`),
      ...problems.map((text) => `MISMATCH ${text}`),
      ...(problemCount > problems.length ? [`and ${problemCount - problems.length} more`] : []),
      problemCount === 0 ? "all figures agree" : `${problemCount} figures do not agree`,
    ],
  };
}
