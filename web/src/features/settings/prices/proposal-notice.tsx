import { useQuery } from "@tanstack/react-query";
import type { CatalogueProposal } from "@turnpike/contract/api/models/catalogue";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { Time } from "../../../components/time.tsx";
import { formatCount } from "../../../lib/text/format.ts";
import { proposalQuery } from "../../../domain/models/catalogue-api.ts";

const countPrices = ({ added, changed }: CatalogueProposal): number => added + changed;

/** How many prices the daily comparison proposes; nothing while there are none. */
export function ProposalBadge() {
  const { t } = useTranslation();
  const { data } = useQuery(proposalQuery);
  const count = data ? countPrices(data) : 0;
  if (count === 0) return null;
  return <StatusBadge tone="warn">{t("{{number}} 个更新", { number: formatCount(count) })}</StatusBadge>;
}

/** The result of the last daily comparison. */
export function ProposalNotice() {
  const { t } = useTranslation();
  const { data } = useQuery(proposalQuery);
  if (!data || data.checked_at === 0) return null;
  const at = <Time seconds={data.checked_at} />;
  if (data.problem !== "")
    return (
      <Notice tone="bad">
        {t("每天的比较失败：{{problem}}", { problem: data.problem })} · {at}
      </Notice>
    );
  const { added, changed, large, applied } = data;
  return (
    <Notice tone={countPrices(data) > 0 ? "warn" : "good"}>
      {t(
        "每天的比较：{{added}} 个新价格，{{changed}} 个变化（其中 {{large}} 个变化很大），已自动采用 {{applied}} 个。",
        {
          added: formatCount(added),
          changed: formatCount(changed),
          large: formatCount(large),
          applied: formatCount(applied),
        },
      )}{" "}
      · {at}
    </Notice>
  );
}
