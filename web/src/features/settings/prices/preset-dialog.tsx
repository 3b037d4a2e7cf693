import type { PresetRatios, PresetSource } from "@turnpike/contract/api/option";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../../components/ui/dialog.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { useOnce } from "../../../hooks/use-once.ts";
import { describeError } from "../../../lib/api/api-error.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { readPreset } from "../settings-api.ts";

const SOURCES: readonly { readonly value: PresetSource; readonly label: string }[] = [
  { value: "flexible", label: text("通用（模型名不带厂商）") },
  { value: "openrouter", label: text("OpenRouter（厂商/模型名）") },
  { value: "legacy", label: text("旧版（只有补全倍率）") },
];

type PresetDialogProps = {
  readonly onApply: (preset: PresetRatios) => void;
  readonly onRemove: (preset: PresetRatios) => void;
  readonly onClose: () => void;
};

/** Fills the tables from a preset, or removes a preset's models from them. */
export function PresetDialog({ onApply, onRemove, onClose }: PresetDialogProps) {
  const { t } = useTranslation();
  const once = useOnce();
  const [source, setSource] = useState<PresetSource>("flexible");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState<"apply" | "remove">();
  const run = async (what: "apply" | "remove"): Promise<void> => {
    setBusy(what);
    setProblem(undefined);
    try {
      const preset = await readPreset(source);
      if (what === "apply") onApply(preset);
      else onRemove(preset);
    } catch (error) {
      const failed = what === "apply" ? t("获取预设倍率失败，请重试") : t("重置预设倍率失败，请重试");
      setProblem(`${failed} ${describeError(error, t)}`);
      setBusy(undefined);
    }
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogTitle>{t("预设倍率")}</DialogTitle>
        <DialogDescription>
          {t("从“预设倍率来源”里设置的地址获取。同名模型的倍率会被替换，确定后还需要保存这一节才会生效。")}
        </DialogDescription>
        <FieldFrame label={t("来源")} error={problem}>
          {(control) => (
            <OptionSelect
              {...control}
              className="h-9"
              value={source}
              options={SOURCES.map(({ value, label }) => ({ value, label: t(label) }))}
              onValueChange={(next) => setSource(SOURCES.find(({ value }) => value === next)?.value ?? source)}
            />
          )}
        </FieldFrame>
        <DialogFooter>
          <BusyButton
            variant="outline"
            busy={busy === "remove"}
            disabled={busy !== undefined}
            onClick={() => once(() => run("remove"))}
          >
            {t("重置预设的倍率")}
          </BusyButton>
          <BusyButton busy={busy === "apply"} disabled={busy !== undefined} onClick={() => once(() => run("apply"))}>
            {t("获取并填入")}
          </BusyButton>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
