import { Columns3 } from "lucide-react";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/button.tsx";
import { OverlayButton } from "../ui/overlay-button.tsx";
import type { ColumnChoice } from "./column-dialog.tsx";

const load = () => import("./column-dialog.tsx");
const ColumnDialog = lazy(async () => ({ default: (await load()).ColumnDialog }));

/** Opens the choice of columns. */
export function ColumnButton({ choices }: { readonly choices: readonly ColumnChoice[] }) {
  const { t } = useTranslation();
  const button = (
    <Button size="icon" aria-label={t("列设置")}>
      <Columns3 />
    </Button>
  );
  return (
    <OverlayButton kind="dialog" button={button} preload={load}>
      {(opened) => <ColumnDialog {...opened} choices={choices} />}
    </OverlayButton>
  );
}
