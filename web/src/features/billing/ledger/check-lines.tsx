import { useTranslation } from "react-i18next";
import { ScrollArea } from "../../../components/ui/scroll-area.tsx";

const MISMATCH_PREFIX = "MISMATCH";

/** What a reconciliation compared, as the server reports it. */
export function CheckLines({ lines }: { readonly lines: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <ScrollArea className="max-h-64 rounded-lg border" role="region" aria-label={t("核对账目")}>
      <ul className="p-3 font-mono text-xs" lang="en">
        {lines.map((line) => (
          <li key={line} className={line.startsWith(MISMATCH_PREFIX) ? "text-destructive" : undefined}>
            {line}
          </li>
        ))}
      </ul>
    </ScrollArea>
  );
}
