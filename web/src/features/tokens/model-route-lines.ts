import { FALLBACK_CAUSES, type FallbackCause } from "@turnpike/contract/options/model-routes";
import { checkModelRoutes, checkOptionValue } from "@turnpike/contract/options/option-validation";
import { text } from "../../lib/text/i18n-source.ts";

const INVALID = text("名称和模型不能为空，备用模型最多 8 个，也不能形成循环");

type RouteOption = "ModelAliases" | "ModelFallbacks";

/** Stored JSON as lines: `name = model`, or `model = fallback, fallback`. */
export function toRouteLines(json: string): string {
  const routes = JSON.parse(json || "{}") as Readonly<Record<string, string | readonly string[]>>;
  return Object.entries(routes)
    .map(([name, models]) => `${name} = ${[models].flat().join(", ")}`)
    .join("\n");
}

/** Lines as the option's JSON; "" for none. A line without `=` becomes an entry that the option's check refuses. */
export function toRouteJson(option: RouteOption, lines: string): string {
  const entries = lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [name = "", models = ""] = line.split("=").map((part) => part.trim());
      const list = models.split(",").map((model) => model.trim());
      return [name, option === "ModelAliases" ? models : list] as const;
    });
  return entries.length === 0 ? "" : JSON.stringify(Object.fromEntries(entries));
}

/** The problem of edited lines, as a source sentence; undefined if they may be saved. */
function findRouteProblem(option: RouteOption, lines: string): string | undefined {
  if (lines.split("\n").some((line) => line.trim() !== "" && line.split("=").length !== 2))
    return text("每行写一个名称、等号和模型");
  const json = toRouteJson(option, lines);
  if (json === "" || checkOptionValue(option, json) === undefined) return undefined;
  return INVALID;
}

type RouteLines = { readonly modelAliases: string; readonly modelFallbacks: string };

/** The problems of a token's routes by field, as source sentences: none if they may be saved. */
export function findRouteProblems({ modelAliases, modelFallbacks }: RouteLines): ReadonlyMap<keyof RouteLines, string> {
  const found = new Map<keyof RouteLines, string>();
  const wrongAliases = findRouteProblem("ModelAliases", modelAliases);
  if (wrongAliases !== undefined) found.set("modelAliases", wrongAliases);
  const wrongFallbacks = findRouteProblem("ModelFallbacks", modelFallbacks);
  if (wrongFallbacks !== undefined) found.set("modelFallbacks", wrongFallbacks);
  if (found.size > 0) return found;
  const aliases = toRouteJson("ModelAliases", modelAliases);
  if (checkModelRoutes({ aliases, fallbacks: toRouteJson("ModelFallbacks", modelFallbacks) }) !== undefined)
    found.set("modelFallbacks", INVALID);
  return found;
}

/** Stored causes; unknown ones are left out. */
export const toCauses = (json: string): FallbackCause[] => {
  const stored = JSON.parse(json || "[]") as readonly string[];
  return FALLBACK_CAUSES.filter((cause) => stored.includes(cause));
};
