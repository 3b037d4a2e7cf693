import { useTranslation } from "react-i18next";
import { SiteText } from "../../components/site-text/site-text.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { useNoticeOpen } from "./use-notice.ts";
import { ScrollArea } from "../../components/ui/scroll-area.tsx";

/** The operator's notice. */
export function NoticeDialog({ source }: { readonly source: string }) {
  const { t } = useTranslation();
  const { open, setOpen } = useNoticeOpen();
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogContent className="max-w-2xl" aria-describedby={undefined}>
        <DialogTitle>{t("公告")}</DialogTitle>
        <ScrollArea className="max-h-[60dvh]" role="region" aria-label={t("公告")}>
          <SiteText source={source} />
        </ScrollArea>
        <DialogFooter>
          <Button onClick={() => setOpen(false)}>{t("知道了")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
