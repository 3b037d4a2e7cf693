import { text } from "../../lib/text/i18n-source.ts";

/** The periods after which a budget is reset; texts are source sentences. */
export const BUDGET_PERIODS = [
  { value: "", label: text("不恢复") },
  { value: "day", label: text("每天") },
  { value: "week", label: text("每周") },
  { value: "month", label: text("每月") },
] as const;
