import type { Target } from "../provider.ts";
import { splitThinking } from "./claude-thinking.ts";

const BETA = "anthropic-beta";

/** Headers the operator set for the model, names in lower case. */
export function modelHeaders({ model, settings }: Target): Record<string, string> {
  const set =
    settings.claudeModelHeaders[model] ?? settings.claudeModelHeaders[splitThinking(model, settings).model] ?? {};
  return Object.fromEntries(Object.entries(set).map(([name, values]) => [name.toLowerCase(), values.join(",")]));
}

/** The beta names of operator and caller, joined. */
export function anthropicBetas(target: Target): string[] {
  const lists = [target.callerHeaders[BETA], modelHeaders(target)[BETA]].flatMap((list) => list?.split(",") ?? []);
  return [...new Set(lists.map((name) => name.trim()).filter((name) => name !== ""))];
}

/** All headers that say how the model is to behave: the operator's, and the betas of both sides. */
export function behaviourHeaders(target: Target): Record<string, string> {
  const beta = anthropicBetas(target).join(",");
  return { ...modelHeaders(target), ...(beta === "" ? {} : { [BETA]: beta }) };
}
