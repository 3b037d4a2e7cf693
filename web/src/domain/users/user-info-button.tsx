import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { OverlayButton } from "../../components/ui/overlay-button.tsx";

const load = () => import("./user-info-dialog.tsx");
const UserInfoDialog = lazy(async () => ({ default: (await load()).UserInfoDialog }));

/** A user's name that opens what there is to know of the user. */
export function UserInfoButton({ id, username }: { readonly id: number; readonly username: string }) {
  const { t } = useTranslation();
  const button = (
    <Button
      variant="link"
      size="inline"
      className="max-w-32 justify-start font-normal text-foreground"
      aria-label={t("用户信息：{{name}}", { name: username })}
    >
      <span className="truncate">{username}</span>
    </Button>
  );
  return (
    <OverlayButton kind="dialog" button={button} preload={load}>
      {(opened) => <UserInfoDialog {...opened} id={id} />}
    </OverlayButton>
  );
}
