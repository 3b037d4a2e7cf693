import {
  DOLLARS_MAX,
  findRuleProblem,
  PIECE_KIND_LENGTH_MAX,
  TOKEN_KINDS,
} from "@turnpike/contract/pricing/rules/price-rule";
import { z } from "zod/mini";
import { text } from "../../../../lib/text/i18n-source.ts";
import { PIECE_KINDS, type RuleDraft, toRule } from "./rule-draft.ts";

type Step = string | number;
type Problem = { readonly path: readonly Step[]; readonly message: string };

/** The steps of a path such as `.tiers["a b"].bands[1].above`. */
const toSteps = (path: string): readonly Step[] =>
  [...path.matchAll(/\.(\w+)|\[(\d+|"(?:[^"\\]|\\.)*")\]/g)].map(
    ([, name, other = ""]) => name ?? (JSON.parse(other) as Step),
  );

const isOneOf = (kinds: readonly string[], step: Step | undefined): boolean => kinds.some((kind) => kind === step);

/** The field for a place within prices: of the rule, of a band or of a tier. */
function toRatesPath([first, second, third]: readonly Step[]): readonly Step[] | undefined {
  if (isOneOf(TOKEN_KINDS, first)) return ["rates", first ?? ""];
  if (first !== "bands" || typeof second !== "number") return undefined;
  return isOneOf(TOKEN_KINDS, third) ? [first, second, "rates", third ?? ""] : [first, second, "above"];
}

const findByName = (named: readonly { readonly name: string }[], name: Step | undefined): number =>
  named.findIndex((one) => one.name.trim() === name);

/** The contract refuses prices of images as a whole: the field is the first one that is empty or no price. */
function toImagePath(images: RuleDraft["images"]): readonly Step[] | undefined {
  const unpriced = images.findIndex(({ dollars }) => !(dollars >= 0 && dollars <= DOLLARS_MAX));
  if (unpriced >= 0) return ["images", unpriced, "dollars"];
  const unnamed = images.findIndex(({ kind }) => kind.trim() === "" || kind.trim().length > PIECE_KIND_LENGTH_MAX);
  return unnamed < 0 ? undefined : ["images", unnamed, "kind"];
}

/** The field for a place in a part whose entries have names. */
function toNamedPath([first, name, ...rest]: readonly Step[], draft: RuleDraft): readonly Step[] | undefined {
  if (first === "tiers") {
    const index = findByName(draft.tiers, name);
    return index < 0 ? undefined : [first, index, ...(toRatesPath(rest) ?? ["name"])];
  }
  if (first === "regions") {
    const index = findByName(draft.regions, name);
    // The name is what is wrong where the factor is one.
    return index < 0 ? undefined : [first, index, (draft.regions[index]?.factor ?? 0) > 0 ? "name" : "factor"];
  }
  return first === "per_image" ? toImagePath(draft.images) : undefined;
}

/** The field of the form that shows a place of the rule. */
function toFieldPath(steps: readonly Step[], draft: RuleDraft): readonly Step[] {
  const [first] = steps;
  if (isOneOf(PIECE_KINDS, first)) return ["pieces", first ?? ""];
  // Without a single price, or without the one that bands and tiers follow, the first one is missing.
  return toRatesPath(steps) ?? toNamedPath(steps, draft) ?? ["rates", "input"];
}

/** The first name that an earlier entry has already. */
function findRepeated(part: string, field: string, names: readonly string[]): Problem | undefined {
  const index = names.findIndex((name, at) => names.indexOf(name) !== at);
  return index < 0 ? undefined : { path: [part, index, field], message: text("{{name}} 重复") };
}

/** The first problem of a rule in the form: the path of the field and a source sentence. */
function findDraftProblem(draft: RuleDraft): Problem | undefined {
  const { tiers, images, regions } = draft;
  const trim = (name: string): string => name.trim();
  const repeated =
    findRepeated(
      "tiers",
      "name",
      tiers.map(({ name }) => trim(name)),
    ) ??
    findRepeated(
      "images",
      "kind",
      images.map(({ kind }) => trim(kind)),
    ) ??
    findRepeated(
      "regions",
      "name",
      regions.map(({ name }) => trim(name)),
    );
  if (repeated) return repeated;
  const found = findRuleProblem(toRule(draft));
  return found && { path: toFieldPath(toSteps(found.path), draft), message: found.detail };
}

/** The form of a rule, checked by the contract's own rules. */
export const RuleForm = z.custom<RuleDraft>().check(
  z.superRefine((draft, context) => {
    const problem = findDraftProblem(draft);
    if (problem) context.addIssue({ code: "custom", message: problem.message, path: [...problem.path] });
  }),
);
