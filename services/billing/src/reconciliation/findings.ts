/** What a check examined, what it could not compare, and what did not match. */
export type Findings = ReturnType<typeof createFindings>;

const SHOWN_MAX = 200;

/** Collects counts and mismatches. */
export function createFindings() {
  const counts = new Map<string, bigint>();
  const problems: string[] = [];
  const skipped: string[] = [];
  let problemCount = 0;
  return {
    count: (what: string, by: number | bigint = 1): void =>
      void counts.set(what, (counts.get(what) ?? 0n) + BigInt(by)),
    problem(text: string): void {
      problemCount++;
      if (problems.length < SHOWN_MAX) problems.push(text);
    },
    /** Records what could not be compared, and why. */
    skip: (what: string): void => void skipped.push(what),
    /** Records a problem unless the two figures are equal. */
    same(what: string, actual: number | bigint, expected: number | bigint): void {
      if (BigInt(actual) !== BigInt(expected)) this.problem(`${what}: ${actual}, but should be ${expected}`);
    },
    isClean: (): boolean => problemCount === 0,
    lines: (): string[] => [
      ...[...counts].map(([what, count]) => `${what}: ${count}`),
      ...skipped.map((text) => `NOT COMPARED ${text}`),
      ...problems.map((text) => `MISMATCH ${text}`),
      ...(problemCount > problems.length ? [`and ${problemCount - problems.length} more`] : []),
      problemCount === 0 ? "all figures agree" : `${problemCount} figures do not agree`,
    ],
  };
}
