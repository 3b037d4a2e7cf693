import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { NativeSelect, NativeSelectOption } from "../../components/ui/native-select.tsx";

type ModelChoiceProps = {
  readonly models: readonly string[];
  readonly model: string;
  readonly onChoose: (model: string) => void;
};

/** The model of a snippet or of a first call. */
export function ModelChoice({ models, model, onChoose }: ModelChoiceProps) {
  const { t } = useTranslation();
  return (
    <FieldFrame label={t("模型")}>
      {(control) => (
        <NativeSelect {...control} value={model} onChange={(event) => onChoose(event.target.value)}>
          {models.map((name) => (
            <NativeSelectOption key={name} value={name}>
              {name}
            </NativeSelectOption>
          ))}
        </NativeSelect>
      )}
    </FieldFrame>
  );
}
