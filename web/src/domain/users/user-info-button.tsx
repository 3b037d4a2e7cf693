import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { LazyOverlay } from "../../components/lazy-overlay.tsx";
import { Button } from "../../components/ui/button.tsx";

const loadDialog = () => import("./user-info-dialog.tsx");
const UserInfoDialog = lazy(async () => ({ default: (await loadDialog()).UserInfoDialog }));

/** A user's name that opens a dialog with the user's facts. */
export function UserInfoButton({ id, username }: { readonly id: number; readonly username: string }) {
  const { t } = useTranslation();
  const trigger = (
    <Button
      variant="link"
      size="inline"
      className="min-h-6 max-w-32 justify-start text-[13px] font-normal text-foreground"
      aria-label={t("用户信息：{{name}}", { name: username })}
    >
      <span className="truncate">{username}</span>
    </Button>
  );
  return (
    <LazyOverlay kind="dialog" load={loadDialog} trigger={trigger}>
      <UserInfoDialog id={id} trigger={trigger} />
    </LazyOverlay>
  );
}
