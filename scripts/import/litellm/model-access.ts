/** Models that may be called; undefined for all. */
export type ModelAccess = ReadonlySet<string> | undefined;

/** A public model name of the source, and the groups that give access to it. */
export type PublicModel = { readonly name: string; readonly accessGroups: readonly string[] };

/** SpecialModelNames in proxy/_types.py. */
const ALL: ReadonlySet<string> = new Set(["all-proxy-models", "*"]);
/** Stands for the models of the team. */
const OF_TEAM = "all-team-models";
const NONE = "no-default-models";

/** Whether a name fits a pattern such as `openai/*`. */
function fits(pattern: string, name: string): boolean {
  const star = pattern.indexOf("*");
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}

/** Reads a list of models of LiteLLM: names, patterns, access groups and special names; an empty list is all models. */
export function readModelAccess(list: readonly string[], models: readonly PublicModel[]): ModelAccess {
  if (list.length === 0 || list.some((entry) => ALL.has(entry) || entry === OF_TEAM)) return undefined;
  const named = list.filter((entry) => entry !== NONE);
  return new Set(
    named.flatMap((entry) => {
      if (entry.includes("*")) return models.filter(({ name }) => fits(entry, name)).map(({ name }) => name);
      const members = models.filter(({ accessGroups }) => accessGroups.includes(entry));
      return members.length > 0 ? members.map(({ name }) => name) : [entry];
    }),
  );
}

/** What both lists allow. */
export function intersectAccess(one: ModelAccess, other: ModelAccess): ModelAccess {
  if (!one || !other) return one ?? other;
  return new Set([...one].filter((name) => other.has(name)));
}

/** Access with the aliases of models that it has. */
export const withAliases = (access: ModelAccess, aliases: Readonly<Record<string, string>>): ModelAccess =>
  access &&
  new Set([...access, ...Object.entries(aliases).flatMap(([alias, model]) => (access.has(model) ? [alias] : []))]);
