import { useId } from "react";
import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Checkbox } from "../../components/ui/checkbox.tsx";

type VendorSectionProps = {
  readonly name: string;
  readonly models: readonly string[];
  readonly marked: ReadonlySet<string>;
  readonly isNew: (model: string) => boolean;
  /** A few words about a model, such as its price. */
  readonly note?: ((model: string) => string | undefined) | undefined;
  readonly onMark: (models: readonly string[], on: boolean) => void;
};

/** The models of one vendor, selectable one by one or all at once. */
export function VendorSection({ name, models, marked, isNew, note, onMark }: VendorSectionProps) {
  const { t } = useTranslation();
  const prefix = useId();
  const count = models.filter((model) => marked.has(model)).length;
  const state = count === 0 ? false : count === models.length ? true : "indeterminate";
  return (
    <section aria-labelledby={`${prefix}-name`}>
      <h3 className="sticky top-0 z-10 flex items-center gap-2 bg-popover py-1 text-[13px] font-semibold">
        <Checkbox
          aria-label={t("选择 {{name}} 的全部模型", { name })}
          checked={state}
          onCheckedChange={(checked) => onMark(models, checked === true)}
        />
        <span id={`${prefix}-name`}>{name}</span>
        <span className="font-normal text-muted-foreground tabular-nums">
          {count} / {models.length}
        </span>
      </h3>
      <ul className="grid gap-x-4 sm:grid-cols-2">
        {models.map((model, index) => (
          <li key={model} className="flex min-w-0 items-center gap-2">
            <Checkbox
              id={`${prefix}-${index}`}
              checked={marked.has(model)}
              onCheckedChange={(checked) => onMark([model], checked === true)}
            />
            <label
              htmlFor={`${prefix}-${index}`}
              className="flex min-h-8 min-w-0 flex-1 items-center gap-2 font-mono text-[13px]"
            >
              <span className="truncate" title={model}>
                {model}
              </span>
              {isNew(model) && <StatusBadge tone="info">{t("新")}</StatusBadge>}
              {note?.(model) !== undefined && (
                <span className="ml-auto shrink-0 font-sans text-xs text-muted-foreground tabular-nums">
                  {note(model)}
                </span>
              )}
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}
