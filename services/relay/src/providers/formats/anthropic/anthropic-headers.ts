import type { Target } from "../../contract/target.ts";
import { splitThinking } from "./claude-thinking.ts";

const BETA = "anthropic-beta";

/** Headers the operator configured for the model, with lower-case names. */
export function modelHeaders({ model, settings }: Target): Record<string, string> {
  const set =
    settings.claudeModelHeaders[model] ?? settings.claudeModelHeaders[splitThinking(model, settings).model] ?? {};
  return Object.fromEntries(Object.entries(set).map(([name, values]) => [name.toLowerCase(), values.join(",")]));
}

/** The names in a list of betas. */
export const betaNames = (list: string | undefined): string[] =>
  (list ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** All headers that configure the model's behaviour: the operator's, and the betas of operator and caller. */
export function behaviourHeaders(target: Target): Record<string, string> {
  const own = modelHeaders(target);
  const betas = [...new Set([...betaNames(target.clientHeaders[BETA]), ...betaNames(own[BETA])])];
  return { ...own, ...(betas.length === 0 ? {} : { [BETA]: betas.join(",") }) };
}
