/** Sources to add, by directive. */
export type PolicySources = Readonly<Record<string, readonly string[]>>;

/**
 * A Content-Security-Policy header with more sources in some directives; a missing directive starts with the site's own
 * origin.
 */
export function extendPolicy(header: string, additions: PolicySources): string {
  const directives = new Map(
    header.split(";").flatMap((part) => {
      const [name = "", ...sources] = part.trim().split(/\s+/);
      return name === "" ? [] : [[name, sources] as const];
    }),
  );
  for (const [name, sources] of Object.entries(additions)) {
    if (sources.length === 0) continue;
    const existing = directives.get(name) ?? ["'self'"];
    directives.set(name, [...new Set([...existing, ...sources])]);
  }
  return [...directives].map(([name, sources]) => [name, ...sources].join(" ")).join(";");
}
