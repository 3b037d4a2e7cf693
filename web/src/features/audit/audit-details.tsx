import type { AuditEntry } from "@turnpike/contract/api/audit";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import { listChanges, toAmount } from "./audit-changes.ts";
import { RestoreButton } from "./restore-button.tsx";

function Value({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  const amount = toAmount(name, value);
  if (amount !== undefined) return <Money quota={amount} />;
  if (value === undefined) return <span className="text-muted-foreground">—</span>;
  return <code className="font-mono text-xs break-all whitespace-pre-wrap">{value}</code>;
}

/** The changes of one action, before and after. */
export function AuditDetails({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation();
  const changes = listChanges(entry.before, entry.after);
  if (changes.length === 0) return <p className="text-[13px] text-muted-foreground">{t("没有记录变化的内容。")}</p>;
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-col gap-2 text-[13px] whitespace-normal">
        {changes.map(({ name, before, after }) => (
          <div key={name} className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[10rem_1fr_1fr]">
            <dt className="font-mono text-xs leading-5 text-muted-foreground">{name === "" ? entry.target : name}</dt>
            <dd className="min-w-0">
              <span className="mr-1.5 text-xs text-muted-foreground">{t("之前")}</span>
              <Value name={name} value={before} />
            </dd>
            <dd className="min-w-0">
              <span className="mr-1.5 text-xs text-muted-foreground">{t("之后")}</span>
              <Value name={name} value={after} />
            </dd>
          </div>
        ))}
      </dl>
      <RestoreButton entry={entry} />
    </div>
  );
}
