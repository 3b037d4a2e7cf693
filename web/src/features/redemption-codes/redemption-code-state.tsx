import type { Redemption } from "@turnpike/contract/api/redemption";
import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../components/status-badge.tsx";
import { useNowSeconds } from "../../hooks/use-now.ts";
import { REDEMPTION_CODE_STATUS } from "./redemption-code-status.ts";

/** Whether a code is used up: used, or a gift code at its limit. */
export const isSpent = ({ status, is_gift, max_uses, used_count }: Redemption): boolean =>
  status === REDEMPTION_CODE_STATUS.used || (is_gift && max_uses > 0 && used_count >= max_uses);

/** The state of a code, including outside its validity period. */
export function RedemptionCodeState({ redemptionCode }: { readonly redemptionCode: Redemption }) {
  const { t } = useTranslation();
  const now = useNowSeconds();
  if (isSpent(redemptionCode)) return <StatusBadge dot>{t("已使用")}</StatusBadge>;
  if (redemptionCode.status === REDEMPTION_CODE_STATUS.disabled)
    return (
      <StatusBadge dot tone="bad">
        {t("已禁用")}
      </StatusBadge>
    );
  if (redemptionCode.valid_until > 0 && redemptionCode.valid_until < now)
    return (
      <StatusBadge dot tone="warn">
        {t("已过期")}
      </StatusBadge>
    );
  if (redemptionCode.valid_from > now)
    return (
      <StatusBadge dot tone="info">
        {t("未生效")}
      </StatusBadge>
    );
  return (
    <StatusBadge dot tone="good">
      {t("未使用")}
    </StatusBadge>
  );
}
