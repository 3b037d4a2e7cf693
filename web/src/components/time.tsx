import { useTranslation } from "react-i18next";
import { useNowSeconds } from "../hooks/use-now.ts";
import { formatRelative, formatTime } from "../lib/text/format.ts";
import { cn } from "../lib/utils.ts";
import { Hint } from "./hint.tsx";

type TimeProps = { readonly seconds: number; readonly exact?: boolean; readonly className?: string };

/** A time as relative text, with the exact time on hover; the other way round when `exact`. */
export function Time({ seconds, exact = false, className }: TimeProps) {
  const { i18n } = useTranslation();
  const now = useNowSeconds();
  const absolute = formatTime(seconds, i18n.language);
  const relative = formatRelative(seconds, now, i18n.language);
  return (
    <Hint text={exact ? relative : absolute}>
      <time
        dateTime={new Date(seconds * 1000).toISOString()}
        className={cn("whitespace-nowrap tabular-nums", className)}
      >
        {exact ? absolute : relative}
      </time>
    </Hint>
  );
}
