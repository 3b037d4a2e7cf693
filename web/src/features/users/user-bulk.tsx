import type { UserProfile } from "@turnpike/contract/api/user";
import { USER_STATUS } from "@turnpike/contract/codes";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../components/busy-button.tsx";
import { confirm } from "../../components/confirm.ts";
import { listUserActions, canEnable } from "../../domain/users/user-rules.ts";
import { manageUser, refreshUsers } from "../../domain/users/users-api.ts";
import { useBulk } from "../../hooks/use-bulk.ts";
import { useSession } from "../../lib/session/session.ts";

const NAMES_MAX = 12;

type UserBulkActionsProps = { readonly rows: readonly UserProfile[]; readonly clear: () => void };

/** Bans or unbans several users at once; both can be taken back. Users whom the administrator may not manage are left out. */
export function UserBulkActions({ rows, clear }: UserBulkActionsProps) {
  const { t } = useTranslation();
  const role = useSession((state) => state.user?.role ?? 0);
  const { busy, run } = useBulk({ refresh: refreshUsers, clear });
  const may = (action: "disable" | "enable"): readonly UserProfile[] =>
    rows.filter((user) => listUserActions(role, user).includes(action) && (action === "disable" || canEnable(user)));
  const active = may("disable").filter(({ status }) => status === USER_STATUS.active);
  const banned = may("enable");
  const ban = async (): Promise<void> => {
    const names = active.map(({ username }) => username);
    const sure = await confirm({
      title: t("封禁所选的 {{count}} 个用户？", { count: active.length }),
      description: `${names.slice(0, NAMES_MAX).join(", ")}${names.length > NAMES_MAX ? "…" : ""}`,
      action: t("封禁"),
      danger: true,
    });
    if (!sure) return;
    await run(
      active,
      ({ id }) => manageUser(id, "disable"),
      ({ id }) => manageUser(id, "enable"),
    );
  };
  const unban = (): Promise<void> =>
    run(
      banned,
      ({ id }) => manageUser(id, "enable"),
      ({ id }) => manageUser(id, "disable"),
    );
  return (
    <>
      <BusyButton variant="outline" size="sm" busy={busy} disabled={active.length === 0} onClick={() => void ban()}>
        {t("封禁")}
      </BusyButton>
      <BusyButton variant="outline" size="sm" busy={busy} disabled={banned.length === 0} onClick={() => void unban()}>
        {t("解封")}
      </BusyButton>
    </>
  );
}
