import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Checkbox } from "../../components/ui/checkbox.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { Input } from "../../components/ui/input.tsx";

type ModelPickerProps = {
  /** What the upstream says it has. */
  readonly found: readonly string[];
  readonly chosen: readonly string[];
  readonly onApply: (models: readonly string[]) => void;
  readonly onClose: () => void;
};

/** Lets one choose among the models that an upstream reported; models it did not report stay chosen. */
export function ModelPicker({ found, chosen, onApply, onClose }: ModelPickerProps) {
  const { t } = useTranslation();
  const prefix = useId();
  const [filter, setFilter] = useState("");
  const [marked, setMarked] = useState<ReadonlySet<string>>(() => new Set(chosen));
  const shown = found.filter((model) => model.toLowerCase().includes(filter.trim().toLowerCase()));
  const mark = (models: readonly string[], on: boolean): void => {
    const next = new Set(marked);
    for (const model of models) {
      if (on) next.add(model);
      else next.delete(model);
    }
    setMarked(next);
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogTitle>{t("选择模型")}</DialogTitle>
        <DialogDescription>{t("上游报告了 {{count}} 个模型。", { count: found.length })}</DialogDescription>
        <Input
          value={filter}
          placeholder={t("筛选模型")}
          aria-label={t("筛选模型")}
          onChange={(event) => setFilter(event.target.value)}
        />
        <div className="flex gap-1.5">
          <Button size="small" onClick={() => mark(shown, true)}>
            {t("全选")}
          </Button>
          <Button size="small" onClick={() => mark(shown, false)}>
            {t("全不选")}
          </Button>
        </div>
        <ul className="flex max-h-80 flex-col overflow-y-auto">
          {shown.map((model, index) => (
            <li key={model} className="flex items-center gap-2">
              <Checkbox
                id={`${prefix}-${index}`}
                checked={marked.has(model)}
                onCheckedChange={(checked) => mark([model], checked === true)}
              />
              <label
                htmlFor={`${prefix}-${index}`}
                className="flex min-h-8 flex-1 items-center gap-2 font-mono text-[13px]"
              >
                {model}
                {!chosen.includes(model) && <Badge tone="info">{t("新")}</Badge>}
              </label>
            </li>
          ))}
          {shown.length === 0 && <li className="py-6 text-center text-muted-foreground">{t("没有找到。")}</li>}
        </ul>
        <DialogFooter>
          <Button onClick={onClose}>{t("取消")}</Button>
          <Button variant="primary" onClick={() => onApply([...marked])}>
            {t("使用所选的 {{count}} 个模型", { count: marked.size })}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
