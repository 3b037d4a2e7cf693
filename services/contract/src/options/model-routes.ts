/** Names that stand for models (option ModelAliases). */
export type ModelAliases = Readonly<Record<string, string>>;
/** The models that are tried after a model, in order (option ModelFallbacks). */
export type ModelFallbacks = Readonly<Record<string, readonly string[]>>;

/** Causes of a failure after which the next model is tried (option FallbackCauses). */
export const FALLBACK_CAUSES = [
  "unavailable",
  "rate_limit",
  "timeout",
  "context_length",
  "content_filter",
  "budget",
] as const;
export type FallbackCause = (typeof FALLBACK_CAUSES)[number];

/** The largest number of models after the requested one. */
export const FALLBACKS_MAX = 8;

/** The model that a name stands for; the name itself if it is no alias. Aliases of aliases are followed. */
export function resolveAlias(aliases: ModelAliases, name: string): string {
  const seen = new Set<string>();
  let model = name;
  while (Object.hasOwn(aliases, model) && !seen.has(model)) {
    seen.add(model);
    model = aliases[model] ?? model;
  }
  return model;
}

const getTarget = (aliases: ModelAliases, name: string): string | undefined =>
  Object.hasOwn(aliases, name) ? aliases[name] : undefined;
const getFallbacks = (fallbacks: ModelFallbacks, name: string): readonly string[] =>
  (Object.hasOwn(fallbacks, name) ? fallbacks[name] : undefined) ?? [];

/** What names stand for, and the models after a model. */
export type ModelRoutes = { readonly aliases: ModelAliases; readonly fallbacks: ModelFallbacks };

/**
 * The fallbacks of a requested name, without the model that it stands for: those of the name and of its model and, where one of them
 * has fallbacks, those after it. Aliases are followed everywhere; each model is listed once.
 */
export function listFallbacks({ aliases, fallbacks }: ModelRoutes, requested: string): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const waiting = [requested];
  for (let from = waiting.pop(); from !== undefined && found.size <= FALLBACKS_MAX; from = waiting.pop()) {
    if (seen.has(from)) continue;
    seen.add(from);
    const model = getTarget(aliases, from);
    if (model === undefined) found.add(from);
    // Last in, first out: the model of an alias is before the alias's fallbacks, and what follows the first fallback is before the second one.
    waiting.push(...getFallbacks(fallbacks, from).toReversed(), ...(model === undefined ? [] : [model]));
  }
  return [...found].slice(1);
}

/** A cycle among names that lead to other names, from its first name to the same one again; undefined if there is none. */
export function findCycle(next: Readonly<Record<string, readonly string[]>>): readonly string[] | undefined {
  const done = new Set<string>();
  for (const start of Object.keys(next)) {
    // Not recursive: an option may have a chain of many thousand names.
    const path = [{ name: start, targets: getFallbacks(next, start).values() }];
    const onPath = new Set([start]);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { value: target, done: isAtEnd } = step.targets.next();
      if (isAtEnd) {
        done.add(step.name);
        onPath.delete(step.name);
        path.pop();
      } else if (onPath.has(target)) {
        const names = path.map(({ name }) => name);
        return [...names.slice(names.indexOf(target)), target];
      } else if (!done.has(target)) {
        onPath.add(target);
        path.push({ name: target, targets: getFallbacks(next, target).values() });
      }
    }
  }
  return undefined;
}

/** A cycle that leads through aliases, fallbacks or both; undefined if there is none. */
export function findRouteCycle({ aliases, fallbacks }: ModelRoutes): readonly string[] | undefined {
  const next: Record<string, readonly string[]> = Object.create(null) as Record<string, readonly string[]>;
  for (const name of [...Object.keys(aliases), ...Object.keys(fallbacks)]) {
    const model = getTarget(aliases, name);
    next[name] = [...(model === undefined ? [] : [model]), ...getFallbacks(fallbacks, name)];
  }
  return findCycle(next);
}
