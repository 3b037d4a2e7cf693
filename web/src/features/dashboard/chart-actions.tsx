import { Download, Image } from "lucide-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { toCsv } from "../../lib/text/csv.ts";
import { downloadBlob, downloadCsv } from "../../lib/download.ts";
import { toPng } from "../../lib/svg-image.ts";
import { notifyError } from "../../lib/toast.ts";

type ChartActionsProps = {
  /** The name of the files, without an extension. */
  readonly name: string;
  /** The element that contains the chart. */
  readonly chart: RefObject<HTMLElement | null>;
  readonly rows: () => readonly (readonly (string | number)[])[];
};

/** Downloads a chart as an image and its values as CSV. */
export function ChartActions({ name, chart, rows }: ChartActionsProps) {
  const { t } = useTranslation();
  const savePng = async (): Promise<void> => {
    const svg = chart.current?.querySelector<SVGSVGElement>("svg.recharts-surface");
    if (svg) downloadBlob(`${name}.png`, await toPng(svg));
  };
  return (
    <div className="flex gap-2">
      <Button variant="outline" size="sm" onClick={() => downloadCsv(name, toCsv(rows()))}>
        <Download />
        CSV
      </Button>
      <Button
        variant="outline"
        size="sm"
        aria-label={t("下载图表图片（PNG）")}
        onClick={() => void savePng().catch(notifyError)}
      >
        <Image />
        PNG
      </Button>
    </div>
  );
}
