import type { LedgerEntry } from "@turnpike/contract/api/ledger";
import type { TFunction } from "i18next";
import { CopyButton } from "../../../components/copy-button.tsx";
import type { DataColumn } from "../../../components/data-table/columns/columns.ts";
import { Money } from "../../../components/money.tsx";
import { Time } from "../../../components/time.tsx";
import { translateContent } from "../../../domain/logs/log-content.ts";
import { UserInfoButton } from "../../../domain/users/user-info-button.tsx";
import { LedgerKind } from "./ledger-kinds.tsx";
import { SignedMoney } from "./signed-money.tsx";

const userColumn = (t: TFunction): DataColumn<LedgerEntry> => ({
  id: "user",
  label: t("用户"),
  card: "fact",
  cell: (entry) => <UserInfoButton id={entry.user_id} username={`#${entry.user_id}`} />,
});

/** Columns of the ledger; administrators also see the user and the reference. */
export const ledgerColumns = (t: TFunction, admin: boolean): readonly DataColumn<LedgerEntry>[] => [
  {
    id: "time",
    label: t("时间"),
    fixed: true,
    card: "fact",
    cell: (entry) => <Time seconds={entry.created_at} exact />,
  },
  ...(admin ? [userColumn(t)] : []),
  { id: "kind", label: t("类型"), card: "badge", cell: (entry) => <LedgerKind kind={entry.kind} /> },
  {
    id: "reason",
    label: t("原因"),
    card: "title",
    cell: (entry) => {
      const reason = translateContent(entry.reason, t);
      return (
        <span className="block truncate" title={reason}>
          {reason}
        </span>
      );
    },
  },
  {
    id: "amount",
    label: t("变动"),
    align: "right",
    card: "fact",
    cell: (entry) => <SignedMoney quota={entry.amount} />,
  },
  {
    id: "balance",
    label: t("变动后的余额"),
    align: "right",
    card: "fact",
    cell: (entry) => (entry.quota_after === null ? "—" : <Money quota={entry.quota_after} />),
  },
  {
    id: "credits",
    label: t("累计入账"),
    align: "right",
    startsHidden: true,
    cell: (entry) => <Money quota={entry.credits_after} />,
  },
  {
    id: "reference",
    label: t("编号"),
    startsHidden: !admin,
    cell: (entry) => (
      <span className="inline-flex max-w-full items-center gap-1">
        <span className="max-w-44 truncate font-mono text-xs" title={entry.id}>
          {entry.id}
        </span>
        <CopyButton value={entry.id} label={t("复制编号")} />
      </span>
    ),
  },
];
