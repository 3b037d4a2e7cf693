import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/utils.ts";

type FilterCellProps = {
  /** The value as text. */
  readonly value: string;
  readonly onFilter: () => void;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A cell whose value filters the list by a click. Its name is what it shows; the title describes what a click does. */
export function FilterCell({ value, onFilter, className, children }: FilterCellProps) {
  const { t } = useTranslation();
  const title = t("筛选：{{value}}", { value });
  return (
    <button
      type="button"
      title={title}
      className={cn("inline-flex max-w-full items-center gap-1.5 rounded hover:underline", className)}
      onClick={onFilter}
    >
      {children}
    </button>
  );
}
