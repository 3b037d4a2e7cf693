import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { RedemptionCodesMenuContent } from "./redemption-codes-menu-content.tsx";

const DeleteByName = lazy(async () => ({ default: (await import("./delete-by-name.tsx")).DeleteByNameDialog }));

/** Actions on many codes, selected by a common property. */
export function RedemptionCodesMenu() {
  const { t } = useTranslation();
  const [deleting, setDeleting] = useState(false);
  const button = (
    <Button variant="outline">
      {t("批量清理")}
      <ChevronDown />
    </Button>
  );
  return (
    <>
      <RedemptionCodesMenuContent trigger={button} onDeleteByName={() => setDeleting(true)} />
      <Suspense>{deleting && <DeleteByName onClose={() => setDeleting(false)} />}</Suspense>
    </>
  );
}
