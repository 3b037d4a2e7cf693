import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Granularity } from "./usage/usage-series.ts";

/** The label of an hour, day or week below a chart. */
export function useTimeLabel(by: Granularity): (seconds: number) => string {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(i18n.language === "en" ? "en-US" : "zh-CN", {
      month: "numeric",
      day: "numeric",
      ...(by === "hour" ? { hour: "2-digit", minute: "2-digit", hour12: false } : {}),
    });
    return (seconds) => format.format(seconds * 1000);
  }, [i18n.language, by]);
}
