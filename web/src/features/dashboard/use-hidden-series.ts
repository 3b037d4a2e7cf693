import { useState } from "react";

/** The series that the user has hidden in a chart, by name. */
export function useHiddenSeries(): readonly [ReadonlySet<string>, (name: string) => void] {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  return [hidden, toggle];
}
