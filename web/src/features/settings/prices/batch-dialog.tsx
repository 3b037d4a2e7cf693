import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../../components/ui/dialog.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { text } from "../../../lib/i18n-source.ts";
import type { BatchPrice } from "./price-tables.ts";

type Mode = BatchPrice["mode"];

const MODES: readonly { readonly value: Mode; readonly label: string }[] = [
  { value: "both", label: text("模型倍率和补全倍率") },
  { value: "ratio", label: text("模型倍率") },
  { value: "completion", label: text("补全倍率") },
  { value: "call", label: text("固定价格") },
];

const LABELS: Readonly<Record<Mode, string>> = {
  both: text("模型倍率"),
  ratio: text("模型倍率"),
  completion: text("补全倍率"),
  call: text("每次调用的价格（美元）"),
};

const isAmount = (value: string): boolean =>
  value.trim() !== "" && Number.isFinite(Number(value)) && Number(value) >= 0;

type Problems = { readonly value?: string | undefined; readonly completion?: string | undefined };

const numberProblem = (value: string): string | undefined => (isAmount(value) ? undefined : text("请输入有效的数字"));

function problemsOf(mode: Mode, value: string, completion: string): Problems {
  if (mode !== "both") return { value: value.trim() === "" ? text("请输入填充值") : numberProblem(value) };
  if (value.trim() === "" || completion.trim() === "") return { value: text("请输入模型倍率和补全倍率") };
  return { value: numberProblem(value), completion: numberProblem(completion) };
}

function batchOf(mode: Mode, value: number, completion: number): BatchPrice {
  if (mode === "call") return { mode, price: value };
  if (mode === "ratio") return { mode, ratio: value };
  return mode === "completion" ? { mode, completion: value } : { mode, ratio: value, completion };
}

type BatchDialogProps = {
  readonly count: number;
  readonly onApply: (batch: BatchPrice) => void;
  readonly onClose: () => void;
};

/** Sets the prices of all chosen models at once. */
export function BatchDialog({ count, onApply, onClose }: BatchDialogProps) {
  const { t } = useTranslation();
  const [mode, setMode] = useState<Mode>("both");
  const [value, setValue] = useState("");
  const [completion, setCompletion] = useState("");
  const [problems, setProblems] = useState<Problems>({});
  const apply = (event: FormEvent): void => {
    event.preventDefault();
    const found = problemsOf(mode, value, completion);
    setProblems(found);
    if (found.value === undefined && found.completion === undefined)
      onApply(batchOf(mode, Number(value), Number(completion)));
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogTitle>{t("批量设置 {{count}} 个模型", { count })}</DialogTitle>
        <DialogDescription>{t("确定后还需要保存这一节才会生效。")}</DialogDescription>
        <form noValidate className="flex flex-col gap-4" onSubmit={apply}>
          <FieldFrame label={t("设置什么")}>
            {(control) => (
              <OptionSelect
                {...control}
                className="h-9"
                value={mode}
                options={MODES.map(({ value: one, label }) => ({ value: one, label: t(label) }))}
                onValueChange={(next) => setMode(MODES.find(({ value: one }) => one === next)?.value ?? mode)}
              />
            )}
          </FieldFrame>
          <FieldFrame label={t(LABELS[mode])} error={problems.value && t(problems.value)}>
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                autoComplete="off"
                value={value}
                onChange={(event) => setValue(event.target.value)}
              />
            )}
          </FieldFrame>
          {mode === "both" && (
            <FieldFrame label={t("补全倍率")} error={problems.completion && t(problems.completion)}>
              {(control) => (
                <Input
                  {...control}
                  inputMode="decimal"
                  autoComplete="off"
                  value={completion}
                  onChange={(event) => setCompletion(event.target.value)}
                />
              )}
            </FieldFrame>
          )}
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t("取消")}
            </Button>
            <Button type="submit">{t("确定")}</Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
