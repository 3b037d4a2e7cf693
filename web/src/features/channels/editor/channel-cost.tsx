import { COST_SOURCES } from "@turnpike/contract/pricing/channel-cost";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Field } from "../../../components/form/field.tsx";
import { JsonEditor } from "../../../components/form/json-editor.tsx";
import { NumberInput } from "../../../components/form/number-input.tsx";
import { FoldedSection } from "../../../components/form/section.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { Time } from "../../../components/time.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { fetchPriceList, priceListQuery } from "../../../domain/channels/price-list-api.ts";
import { queryClient } from "../../../lib/api/query-client.ts";
import { notifyError } from "../../../lib/toast.ts";
import type { ChannelFormReturn } from "./channel-form.ts";
import { COST_EXAMPLE, COST_SOURCE_LABELS } from "./channel-cost-form.ts";

type CostFieldProps = { readonly form: ChannelFormReturn };

function SourceField({ form }: CostFieldProps) {
  const { t } = useTranslation();
  return (
    <Controller
      control={form.control}
      name="cost_source"
      render={({ field }) => (
        <Field label={t("成本来源")} help={t("上游按什么向你收费。只有管理员能看到成本，它不影响向调用方的收费。")}>
          {(control) => (
            <OptionSelect
              {...control}
              className="h-9"
              value={field.value}
              options={COST_SOURCES.map((source) => ({ value: source, label: t(COST_SOURCE_LABELS[source]) }))}
              onValueChange={(value) => field.onChange(COST_SOURCES.find((source) => source === value))}
            />
          )}
        </Field>
      )}
    />
  );
}

function FactorField({ form }: CostFieldProps) {
  const { t } = useTranslation();
  return (
    <Controller
      control={form.control}
      name="cost_factor"
      render={({ field, fieldState }) => (
        <Field
          label={t("成本系数")}
          help={t("所有金额乘以它：折扣、或另一种货币的汇率。默认 1，0 表示没有费用。")}
          error={fieldState.error}
        >
          {(control) => (
            <NumberInput
              {...control}
              min={0}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
            />
          )}
        </Field>
      )}
    />
  );
}

function PricesField({ form }: CostFieldProps) {
  const { t } = useTranslation();
  return (
    <Controller
      control={form.control}
      name="cost_prices"
      render={({ field, fieldState }) => (
        <Field
          label={t("自有价格表")}
          error={fieldState.error}
          help={
            <span className="flex flex-wrap gap-x-2">
              {t("每个模型的价格，格式与价格规则相同（每百万 Token 的美元）。表里没有的模型成本未知。")}
              {field.value.trim() === "" && (
                <Button
                  variant="link"
                  size="inline"
                  className="text-[13px]"
                  onClick={() => field.onChange(COST_EXAMPLE)}
                >
                  {t("填入模板")}
                </Button>
              )}
            </span>
          }
        >
          {(control) => (
            <JsonEditor
              control={control}
              rows={6}
              placeholder={COST_EXAMPLE}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
            />
          )}
        </Field>
      )}
    />
  );
}

/** The stored price list of the site above, with a button that fetches it. */
function PriceListState({ channelId }: { readonly channelId: number }) {
  const { t } = useTranslation();
  const { data: list } = useQuery(priceListQuery(channelId));
  const refresh = useMutation({
    mutationFn: () => fetchPriceList(channelId),
    onSettled: () => queryClient.invalidateQueries({ queryKey: priceListQuery(channelId).queryKey }),
    onError: notifyError,
  });
  return (
    <div className="flex flex-col gap-2 rounded-lg border px-3 py-2 text-[13px]">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span>
          {list === undefined || list.fetched_at === 0 ? (
            t("还没有获取价格表。")
          ) : (
            <>
              {t("{{models}} 个模型有价格，包括本渠道的 {{priced}} 个。", {
                models: list.models,
                priced: list.priced_models,
              })}{" "}
              <Time seconds={list.fetched_at} />
            </>
          )}
        </span>
        <BusyButton size="sm" variant="outline" busy={refresh.isPending} onClick={() => refresh.mutate()}>
          {t("立即获取")}
        </BusyButton>
      </div>
      {list !== undefined && Object.keys(list.groups).length > 0 && (
        <p className="text-muted-foreground">
          {t("对方的分组：{{groups}}", {
            groups: Object.entries(list.groups)
              .map(([group, ratio]) => `${group} × ${ratio}`)
              .join(", "),
          })}
        </p>
      )}
      {list !== undefined && list.error !== "" && (
        <p className="text-warn">{t("上次获取失败：{{error}}", { error: list.error })}</p>
      )}
    </div>
  );
}

type ChannelCostProps = {
  readonly form: ChannelFormReturn;
  /** Undefined for a channel that is not stored yet. */
  readonly channelId: number | undefined;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
};

/** What the channel's upstream charges. */
export function ChannelCostSection({ form, channelId, open, onOpenChange }: ChannelCostProps) {
  const { t } = useTranslation();
  const source = form.watch("cost_source");
  const factor = form.watch("cost_factor");
  const summary = `${t(COST_SOURCE_LABELS[source])} × ${Number.isNaN(factor) ? "?" : factor}`;
  return (
    <FoldedSection title={t("成本")} summary={summary} open={open} onOpenChange={onOpenChange}>
      <SourceField form={form} />
      <FactorField form={form} />
      {source === "table" && <PricesField form={form} />}
      {source === "reseller" && (
        <>
          <Field
            label={t("对方的分组")}
            help={t("这个账号在上级站点所属的分组，价格乘以它的倍率。默认 default。")}
            error={form.formState.errors.cost_group}
          >
            {(control) => <Input {...control} autoComplete="off" {...form.register("cost_group")} />}
          </Field>
          {channelId === undefined ? (
            <p className="text-[13px] text-muted-foreground">{t("保存渠道后会自动获取价格表。")}</p>
          ) : (
            <PriceListState channelId={channelId} />
          )}
        </>
      )}
    </FoldedSection>
  );
}
