import type { LogDetails, LogEntry } from "@turnpike/contract/api/log";
import { text } from "../../lib/i18n-source.ts";

/** One line of the bill of a call: tokens × ratio × model ratio × group ratio, in quota units before rounding. */
export type BillLine = {
  readonly label: string;
  readonly tokens: number;
  /** What these tokens count for, a prompt token being 1. */
  readonly ratio: number;
  readonly quota: number;
};

/** How the charge of a call came about. */
export type Bill =
  | {
      readonly mode: "tokens";
      readonly lines: readonly BillLine[];
      readonly modelRatio: number;
      readonly groupRatio: number;
    }
  | { readonly mode: "call"; readonly dollars: number; readonly groupRatio: number };

/** The bill of a consumption row; undefined when the row does not carry the figures. */
export function billOf(entry: LogEntry, details: LogDetails): Bill | undefined {
  const groupRatio = details.user_group_ratio ?? details.group_ratio ?? 1;
  if (details.model_price !== undefined && details.model_price >= 0) {
    return { mode: "call", dollars: details.model_price, groupRatio };
  }
  if (details.model_ratio === undefined) return undefined;
  const modelRatio = details.model_ratio;
  const cached = Math.min(details.cache_tokens ?? 0, entry.prompt_tokens);
  const written = Math.min(details.cache_creation_tokens ?? 0, entry.prompt_tokens - cached);
  const parts = [
    { label: text("输入"), tokens: entry.prompt_tokens - cached - written, ratio: 1 },
    { label: text("缓存读取"), tokens: cached, ratio: details.cache_ratio ?? 1 },
    { label: text("缓存写入"), tokens: written, ratio: details.cache_creation_ratio ?? 1 },
    { label: text("输出"), tokens: entry.completion_tokens, ratio: details.completion_ratio ?? 1 },
  ];
  const lines = parts
    .filter(({ tokens }, index) => tokens > 0 || index === 0 || index === parts.length - 1)
    .map((part) => ({ ...part, quota: part.tokens * part.ratio * modelRatio * groupRatio }));
  return { mode: "tokens", lines, modelRatio, groupRatio };
}
