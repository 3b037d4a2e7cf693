import { Megaphone } from "lucide-react";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { useNotice, useNoticeOpen } from "./use-notice.ts";

const NoticeDialog = lazy(async () => ({ default: (await import("./notice-dialog.tsx")).NoticeDialog }));

/** Opens the notice, if there is one. It also opens by itself once a day. */
export function NoticeButton() {
  const { t } = useTranslation();
  const source = useNotice();
  const { open, setOpen } = useNoticeOpen();
  if (source === "") return null;
  return (
    <>
      <Button variant="ghost" size="icon" aria-label={t("公告")} title={t("公告")} onClick={() => setOpen(true)}>
        <Megaphone />
      </Button>
      <Suspense>{open && <NoticeDialog source={source} />}</Suspense>
    </>
  );
}
