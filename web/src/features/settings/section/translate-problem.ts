import { optionProblemInEnglish } from "@turnpike/contract/options/option-problems";
import i18next from "i18next";
import { currentLanguage } from "../../../lib/text/i18n.ts";
import type { SettingProblem } from "./check-setting.ts";

const capitalized = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** A problem in the user's language, from the console's own sentences or the contract's. */
export function translateProblem({ message, values = {} }: SettingProblem): string {
  if (currentLanguage() === "en" && !i18next.exists(message)) return capitalized(optionProblemInEnglish(message));
  return i18next.t(message, values);
}
