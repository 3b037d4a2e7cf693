import type { Page } from "@turnpike/contract/api/common";
import { PAGE_SIZE_MAX } from "@turnpike/contract/limits";
import { Download, X } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { toCsv } from "../../../lib/text/csv.ts";
import { downloadCsv } from "../../../lib/download.ts";
import { notifyError } from "../../../lib/toast.ts";
import { Button } from "../../ui/button.tsx";
import { type ExportColumn, readAllRows } from "./read-all-rows.ts";

type ExportButtonProps<Row> = {
  /** The name of the file, without extension. */
  readonly name: string;
  readonly columns: readonly ExportColumn<Row>[];
  /** Reads one page of the filtered list, counted from 1. */
  readonly read: (page: number, pageSize: number) => Promise<Page<Row>>;
};

/** Saves the rows of the filtered list as a CSV file; a second click cancels. */
export function ExportButton<Row>({ name, columns, read }: ExportButtonProps<Row>) {
  const { t } = useTranslation();
  const running = useRef<AbortController>(undefined);
  const [percent, setPercent] = useState<number>();
  const save = async (): Promise<void> => {
    const run = new AbortController();
    running.current = run;
    setPercent(0);
    try {
      const rows = await readAllRows((page) => read(page, PAGE_SIZE_MAX), {
        signal: run.signal,
        onProgress: (share) => setPercent(Math.floor(share * 100)),
      });
      if (!run.signal.aborted)
        downloadCsv(
          name,
          toCsv([columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ value }) => value(row)))]),
        );
    } catch (error) {
      notifyError(error);
    } finally {
      setPercent(undefined);
    }
  };
  const isRunning = percent !== undefined;
  return (
    <Button variant="outline" onClick={() => (isRunning ? running.current?.abort() : void save())}>
      {isRunning ? <X /> : <Download />}
      <span aria-live="polite" className="tabular-nums">
        {isRunning ? t("取消导出（{{percent}}%）", { percent }) : t("导出 CSV")}
      </span>
    </Button>
  );
}
