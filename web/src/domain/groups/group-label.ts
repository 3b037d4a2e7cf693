import type { TFunction } from "i18next";
import { formatRatio } from "../../lib/format.ts";

/** A group with its description and what it multiplies prices by, as one line. The description comes translated. */
export const groupLabel = (t: TFunction, name: string, description: string, ratio: number): string =>
  `${name}${description === "" || description === name ? "" : ` · ${description}`} · ${t("{{ratio}} 倍", { ratio: formatRatio(ratio) })}`;
