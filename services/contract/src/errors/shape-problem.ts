import { z } from "zod/mini";

/** What is wrong with a value: the path below it (`.bands[1].above`) and a Chinese source sentence. */
export type ShapeProblem = { readonly path: string; readonly detail: string };

const toStep = (step: PropertyKey): string =>
  typeof step === "number"
    ? `[${step}]`
    : /^\w+$/.test(String(step))
      ? `.${String(step)}`
      : `[${JSON.stringify(step)}]`;

const toPath = (steps: readonly PropertyKey[]): string => steps.map(toStep).join("");

/** The first problem of a value, by a schema whose messages are Chinese source sentences; undefined for a valid one. */
export function findShapeProblem(schema: z.ZodMiniType, value: unknown): ShapeProblem | undefined {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return undefined;
  const [issue] = parsed.error.issues;
  if (!issue) return { path: "", detail: "无效" };
  if (issue.code === "unrecognized_keys")
    return { path: toPath([...issue.path, issue.keys[0] ?? ""]), detail: "未知的字段" };
  if (issue.code === "invalid_key") return { path: toPath(issue.path), detail: issue.issues[0]?.message ?? "名称无效" };
  return { path: toPath(issue.path), detail: issue.message };
}
