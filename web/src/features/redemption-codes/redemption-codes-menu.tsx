import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { OverlayButton } from "../../components/ui/overlay-button.tsx";

const load = () => import("./redemption-codes-menu-content.tsx");
const Content = lazy(async () => ({ default: (await load()).RedemptionCodesMenuContent }));
const DeleteByName = lazy(async () => ({ default: (await import("./delete-by-name.tsx")).DeleteByNameDialog }));

/** What can be done with many codes, chosen by what they have in common. */
export function RedemptionCodesMenu() {
  const { t } = useTranslation();
  const [deleting, setDeleting] = useState(false);
  const button = (
    <Button>
      {t("批量清理")}
      <ChevronDown />
    </Button>
  );
  return (
    <>
      <OverlayButton kind="menu" button={button} preload={load}>
        {(opened) => <Content {...opened} onDeleteByName={() => setDeleting(true)} />}
      </OverlayButton>
      <Suspense>{deleting && <DeleteByName onClose={() => setDeleting(false)} />}</Suspense>
    </>
  );
}
