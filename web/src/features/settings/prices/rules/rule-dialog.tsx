import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import type { PriceRule } from "@turnpike/contract/pricing/rules/price-rule";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/ui/button.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogTitle,
} from "../../../../components/ui/dialog.tsx";
import { listedPricesQuery, toListedRule } from "./listed-rule.ts";
import type { PriceRow } from "../price-rows.ts";
import { type RuleDraft, toDraft, toRule } from "./rule-draft.ts";
import { RateFields } from "./rule-fields.tsx";
import { RuleForm } from "./rule-form.ts";
import { Bands, Images, Pieces, Regions, Tiers } from "./rule-parts.tsx";

type RuleEditorProps = {
  readonly model: string;
  readonly rule: PriceRule;
  readonly onApply: (rule: PriceRule) => void;
  readonly onClose: () => void;
};

function RuleEditor({ model, rule, onApply, onClose }: RuleEditorProps) {
  const { t } = useTranslation();
  const form = useForm<RuleDraft>({ resolver: zodResolver(RuleForm), defaultValues: toDraft(rule) });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-h-[90dvh] overflow-y-auto sm:max-w-2xl">
        <DialogTitle>{t("{{name}} 的分段和等级", { name: model })}</DialogTitle>
        <DialogDescription>
          {t("每百万 Token 的美元价格，留空的种类按内置规则推算。确定后还需要保存这一节才会生效。")}
        </DialogDescription>
        <form
          noValidate
          className="flex flex-col gap-5"
          onSubmit={(event) => void form.handleSubmit((draft) => onApply(toRule(draft) as PriceRule))(event)}
        >
          <RateFields form={form} name="rates" />
          <Bands form={form} name="bands" />
          <Tiers form={form} />
          <Pieces form={form} />
          <Images form={form} />
          <Regions form={form} />
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

type RuleDialogProps = Omit<RuleEditorProps, "model" | "rule"> & {
  readonly row: PriceRow;
  /** The model's own rule; without one the form starts from the price in force. */
  readonly own: PriceRule | undefined;
};

const toTableRule = (row: PriceRow): PriceRule =>
  row.mode === "tokens" ? { input: row.inputDollars, output: row.outputDollars } : {};

/** Sets a model's whole price: kinds of tokens, bands by prompt length, service tiers, pieces, images and regions. */
export function RuleDialog({ row, own, ...rest }: RuleDialogProps) {
  const listed = useQuery({ ...listedPricesQuery, enabled: own === undefined });
  if (own === undefined && listed.isPending) return null;
  const details = listed.data?.data.find((one) => one.model_name === row.name)?.details;
  return <RuleEditor model={row.name} rule={own ?? (details ? toListedRule(details) : toTableRule(row))} {...rest} />;
}
