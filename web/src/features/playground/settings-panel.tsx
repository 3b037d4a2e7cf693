import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { groupLabel } from "../../domain/groups/group-label.ts";
import { Checkbox } from "../../components/ui/checkbox.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Slider } from "../../components/ui/slider.tsx";
import { Textarea } from "../../components/ui/textarea.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { userGroupsQuery, userModelsQuery } from "../../domain/tokens/tokens-api.ts";
import { NativeSelect, NativeSelectOption } from "../../components/ui/native-select.tsx";
import { cn } from "../../lib/utils.ts";
import { type PlaygroundSettings, TEMPERATURE_MAX } from "./playground-settings.ts";

type PanelProps = {
  readonly settings: PlaygroundSettings;
  readonly systemPrompt: string;
  readonly onChange: (change: Partial<PlaygroundSettings>) => void;
};

function Labelled({
  id,
  label,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-[13px] font-medium">
        {label}
      </label>
      {children}
    </div>
  );
}

function Choices({ settings, onChange }: Omit<PanelProps, "systemPrompt">) {
  const { t } = useTranslation();
  const id = useId();
  const groups = Object.entries(useQuery(userGroupsQuery).data ?? {});
  const models = useQuery(userModelsQuery).data ?? [];
  const known = models.includes(settings.model) ? models : [settings.model, ...models];
  const own = { value: "", label: t("我的分组") };
  return (
    <>
      <Labelled id={`${id}group`} label={t("分组")}>
        <OptionSelect
          id={`${id}group`}
          value={groups.some(([name]) => name === settings.group) ? settings.group : ""}
          options={[
            own,
            ...groups.map(([name, { desc, ratio }]) => ({ value: name, label: groupLabel(t, name, t(desc), ratio) })),
          ]}
          onValueChange={(group) => onChange({ group })}
        />
      </Labelled>
      <Labelled id={`${id}model`} label={t("模型")}>
        <NativeSelect
          id={`${id}model`}
          value={settings.model}
          onChange={(event) => onChange({ model: event.target.value })}
        >
          {known.map((model) => (
            <NativeSelectOption key={model} value={model}>
              {model}
            </NativeSelectOption>
          ))}
        </NativeSelect>
      </Labelled>
    </>
  );
}

function Temperature({ settings, onChange }: Omit<PanelProps, "systemPrompt">) {
  const { t } = useTranslation();
  const id = useId();
  const { hasTemperature, temperature } = settings;
  const label = hasTemperature ? temperature.toFixed(1) : t("模型默认");
  return (
    <Labelled id={id} label={`${t("温度")} · ${label}`}>
      <Slider
        id={id}
        min={0}
        max={TEMPERATURE_MAX}
        step={0.1}
        value={temperature}
        className={cn(!hasTemperature && "opacity-50")}
        onChange={(event) => onChange({ hasTemperature: true, temperature: Number(event.target.value) })}
      />
      <label className="flex cursor-pointer items-center gap-2 text-[13px] text-muted-foreground">
        <Checkbox
          checked={!hasTemperature}
          onCheckedChange={(checked) => onChange({ hasTemperature: checked !== true })}
        />
        {t("使用模型的默认温度")}
      </label>
    </Labelled>
  );
}

/** The settings of a question. */
export function SettingsPanel({ settings, systemPrompt, onChange }: PanelProps) {
  const { t } = useTranslation();
  const id = useId();
  const { maxTokens, stream } = settings;
  return (
    <div className="flex flex-col gap-4">
      <Choices settings={settings} onChange={onChange} />
      <Temperature settings={settings} onChange={onChange} />
      <Labelled id={`${id}max`} label={t("最大输出 Token")}>
        <Input
          id={`${id}max`}
          type="number"
          inputMode="numeric"
          min={0}
          placeholder={t("不限制")}
          value={maxTokens === 0 ? "" : maxTokens}
          onChange={(event) => onChange({ maxTokens: Math.max(0, Math.trunc(Number(event.target.value))) })}
        />
      </Labelled>
      <Labelled id={`${id}system`} label={t("系统提示词")}>
        <Textarea
          id={`${id}system`}
          rows={4}
          value={systemPrompt}
          onChange={(event) => onChange({ systemPrompt: event.target.value })}
        />
      </Labelled>
      <label className="flex cursor-pointer items-center gap-2 text-sm">
        <Checkbox checked={stream} onCheckedChange={(checked) => onChange({ stream: checked === true })} />
        {t("逐字显示回答")}
      </label>
    </div>
  );
}
