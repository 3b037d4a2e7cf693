import { errorMessage, isErrorCode } from "@turnpike/contract/errors";
import { z } from "zod/mini";
import type { Language } from "../../http/request-language.ts";

const Problem = z.object({ code: z.string(), params: z.record(z.string(), z.string()) });

/**
 * Why the last comparison with a catalogue failed, in the requested language. `problem` is the JSON that billing stored,
 * `{code, params}`; empty for a success. Other texts, which earlier versions stored, are returned as they are.
 */
export function toProblem(problem: string, language: Language): string {
  if (!problem.startsWith("{")) return problem;
  const { code, params } = Problem.parse(JSON.parse(problem));
  return errorMessage(isErrorCode(code) ? code : "internal", params, language);
}
