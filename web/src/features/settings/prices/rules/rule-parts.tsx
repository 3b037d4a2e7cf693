import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useFieldArray } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/ui/button.tsx";
import { FIELD_LABELS } from "../../../../domain/models/rule-fields.ts";
import { NEW_BAND, NEW_IMAGE, NEW_REGION, NEW_TIER, PIECE_KINDS } from "./rule-draft.ts";
import { type BandsName, type FormProps, NameField, NumberField, RateFields } from "./rule-fields.tsx";

type PartsProps = {
  readonly title: string;
  readonly addLabel: string;
  readonly onAdd: () => void;
  readonly children: ReactNode;
};

function Parts({ title, addLabel, onAdd, children }: PartsProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-label={title}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">{title}</h3>
        <Button variant="outline" size="sm" onClick={onAdd}>
          <Plus />
          {addLabel}
        </Button>
      </div>
      {children}
    </fieldset>
  );
}

type RowProps = { readonly removeLabel: string; readonly onRemove: () => void; readonly children: ReactNode };

function Row({ removeLabel, onRemove, children }: RowProps) {
  return (
    <div className="flex items-start gap-2">
      {children}
      <Button variant="ghost" size="icon" className="mt-6" aria-label={removeLabel} onClick={onRemove}>
        <Trash2 />
      </Button>
    </div>
  );
}

const FRAME = "flex flex-col gap-3 rounded-lg border p-3";

/** The prices above prompt lengths. */
export function Bands({ form, name }: FormProps & { readonly name: BandsName }) {
  const { t } = useTranslation();
  const bands = useFieldArray({ control: form.control, name });
  return (
    <Parts title={t("按提示长度的分段")} addLabel={t("添加分段")} onAdd={() => bands.append(NEW_BAND)}>
      {bands.fields.map(({ id }, index) => (
        <div key={id} className={FRAME}>
          <Row removeLabel={`${t("移除分段")} ${index + 1}`} onRemove={() => bands.remove(index)}>
            <NumberField
              form={form}
              name={`${name}.${index}.above`}
              label={t("提示超过（Token）")}
              className="flex-1"
              min={1}
              step={1}
            />
          </Row>
          <RateFields form={form} name={`${name}.${index}.rates`} />
        </div>
      ))}
    </Parts>
  );
}

/** The prices of service tiers. */
export function Tiers({ form }: FormProps) {
  const { t } = useTranslation();
  const tiers = useFieldArray({ control: form.control, name: "tiers" });
  return (
    <Parts title={t("服务等级")} addLabel={t("添加等级")} onAdd={() => tiers.append(NEW_TIER)}>
      {tiers.fields.map(({ id }, index) => (
        <div key={id} className={FRAME}>
          <Row removeLabel={`${t("移除等级")} ${index + 1}`} onRemove={() => tiers.remove(index)}>
            <NameField form={form} name={`tiers.${index}.name`} label={t("等级的名称，如 priority、flex、batch")} />
          </Row>
          <RateFields form={form} name={`tiers.${index}.rates`} />
          <Bands form={form} name={`tiers.${index}.bands`} />
        </div>
      ))}
    </Parts>
  );
}

/** What is priced by the piece, in dollars. */
export function Pieces({ form }: FormProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-label={t("按件计价（美元）")}>
      <h3 className="text-sm font-semibold">{t("按件计价（美元）")}</h3>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {PIECE_KINDS.map((kind) => (
          <NumberField key={kind} form={form} name={`pieces.${kind}`} label={t(FIELD_LABELS[kind] ?? kind)} min={0} />
        ))}
      </div>
    </fieldset>
  );
}

/** The prices of images by quality and size. */
export function Images({ form }: FormProps) {
  const { t } = useTranslation();
  const images = useFieldArray({ control: form.control, name: "images" });
  return (
    <Parts title={t("每张图片的价格")} addLabel={t("添加图片价格")} onAdd={() => images.append(NEW_IMAGE)}>
      {images.fields.map(({ id }, index) => (
        <Row key={id} removeLabel={`${t("移除图片价格")} ${index + 1}`} onRemove={() => images.remove(index)}>
          <NameField form={form} name={`images.${index}.kind`} label={t("质量/尺寸，* 表示其他，留空表示全部")} />
          <NumberField form={form} name={`images.${index}.dollars`} label={t("美元")} className="w-32" min={0} />
        </Row>
      ))}
    </Parts>
  );
}

/** Factors on the whole price by the region that processes the call. */
export function Regions({ form }: FormProps) {
  const { t } = useTranslation();
  const regions = useFieldArray({ control: form.control, name: "regions" });
  return (
    <Parts title={t("各地区的系数")} addLabel={t("添加地区")} onAdd={() => regions.append(NEW_REGION)}>
      {regions.fields.map(({ id }, index) => (
        <Row key={id} removeLabel={`${t("移除地区")} ${index + 1}`} onRemove={() => regions.remove(index)}>
          <NameField form={form} name={`regions.${index}.name`} label={t("地区，如 eu")} />
          <NumberField form={form} name={`regions.${index}.factor`} label={t("系数")} className="w-32" min={0} />
        </Row>
      ))}
    </Parts>
  );
}
