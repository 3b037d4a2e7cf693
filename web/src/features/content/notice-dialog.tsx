import { useTranslation } from "react-i18next";
import { SiteText } from "../../components/site-text/site-text.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { useNoticeOpen } from "./use-notice.ts";

/** What the operator wants everybody to know. */
export function NoticeDialog({ source }: { readonly source: string }) {
  const { t } = useTranslation();
  const { open, setOpen } = useNoticeOpen();
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogContent className="max-w-2xl" aria-describedby={undefined}>
        <DialogTitle>{t("公告")}</DialogTitle>
        {/* Long texts scroll, by the keyboard too. */}
        <div
          tabIndex={0}
          role="region"
          aria-label={t("公告")}
          className="max-h-[60dvh] overflow-y-auto outline-offset-2"
        >
          <SiteText source={source} />
        </div>
        <DialogFooter>
          <Button onClick={() => setOpen(false)}>{t("知道了")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
