import { ChevronDown } from "lucide-react";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { OverlayButton } from "../../components/ui/overlay-button.tsx";

const load = () => import("./channels-menu-content.tsx");
const Content = lazy(async () => ({ default: (await load()).ChannelsMenuContent }));

/** What can be done with all channels. */
export function ChannelsMenu() {
  const { t } = useTranslation();
  const button = (
    <Button>
      {t("全部渠道")}
      <ChevronDown />
    </Button>
  );
  return (
    <OverlayButton kind="menu" button={button} preload={load}>
      {(opened) => <Content {...opened} />}
    </OverlayButton>
  );
}
