import type { TFunction } from "i18next";
import { formatRatio } from "../../lib/text/format.ts";

/** A group with its description and ratio in one line. The description is already translated. */
export const groupLabel = (t: TFunction, name: string, description: string, ratio: number): string =>
  `${name}${description === "" || description === name ? "" : ` · ${description}`} · ${t("{{ratio}} 倍", { ratio: formatRatio(ratio) })}`;
