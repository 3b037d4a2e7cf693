import type { CatalogueBody, CatalogueComparison, CatalogueDifference } from "@turnpike/contract/api/models/catalogue";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { confirm } from "../../../components/confirm.ts";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { Money } from "../../../components/money.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { Sheet, SheetContent, SheetDescription, SheetTitle } from "../../../components/ui/sheet.tsx";
import { describeError } from "../../../lib/api/api-error.ts";
import { formatCount } from "../../../lib/text/format.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { notifyError, notifySuccess } from "../../../lib/toast.ts";
import { optionsQuery, optionValue, refreshOptions } from "../settings-api.ts";
import { adoptPrices, compareCatalogue, toAdoption } from "../../../domain/models/catalogue-api.ts";
import { ProposalNotice } from "./proposal-notice.tsx";
import { CatalogueDifferences } from "./catalogue-differences.tsx";

const RehearsalSheet = lazy(async () => ({
  default: (await import("../rehearsal/rehearsal-sheet.tsx")).RehearsalSheet,
}));

type Source = CatalogueBody["source"];
const SOURCES: readonly { readonly value: Source; readonly label: string }[] = [
  { value: "litellm", label: "LiteLLM" },
  { value: "models_dev", label: "models.dev" },
  { value: "ratio_config", label: text("同类站点的 /api/ratio_config") },
  { value: "pricing", label: text("同类站点的 /api/pricing") },
  { value: "file", label: text("上传文件") },
];

const toSource = (value: string): Source => SOURCES.find((known) => known.value === value)?.value ?? "litellm";

/** A JSON text without its blanks, to send less; any other text stays, for the server to name what is wrong with it. */
function compact(content: string): string {
  try {
    return JSON.stringify(JSON.parse(content));
  } catch {
    return content;
  }
}

/** Where the catalogue comes from, at first the source of the daily comparison, and the comparison. */
function useComparison() {
  const { t } = useTranslation();
  const { data: options = {} } = useQuery(optionsQuery);
  const [chosenSource, setSource] = useState<Source>();
  const [chosenUrl, setUrl] = useState<string>();
  const daily = toSource(optionValue(options, "CatalogueSource"));
  const source = chosenSource ?? daily;
  // The address belongs to the source that it was stored for.
  const url = chosenUrl ?? (source === daily ? optionValue(options, "CatalogueUrl") : "");
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [comparison, setComparison] = useState<CatalogueComparison>();
  const compare = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const content = source === "file" && file ? compact(await file.text()) : "";
      setComparison(await compareCatalogue({ source, url: source === "file" ? "" : url, content }));
    } catch (error) {
      setProblem(describeError(error, t));
    } finally {
      setBusy(false);
    }
  };
  return { source, setSource, url, setUrl, setFile, problem, isBusy, comparison, setComparison, compare };
}

type SourceFieldsProps = { readonly state: ReturnType<typeof useComparison> };

function SourceFields({ state }: SourceFieldsProps) {
  const { t } = useTranslation();
  const hasAddress = state.source === "litellm" || state.source === "models_dev";
  return (
    <div className="flex flex-col gap-3">
      <FieldFrame label={t("来源")} error={state.problem}>
        {(control) => (
          <OptionSelect
            {...control}
            className="h-9 w-full sm:w-80"
            value={state.source}
            options={SOURCES.map(({ value, label }) => ({ value, label: t(label) }))}
            onValueChange={(next) => state.setSource(toSource(next))}
          />
        )}
      </FieldFrame>
      {state.source === "file" ? (
        <FieldFrame label={t("文件")}>
          {(control) => (
            <Input
              {...control}
              type="file"
              className="py-1.5"
              accept="application/json,.json"
              onChange={(event) => state.setFile(event.target.files?.[0])}
            />
          )}
        </FieldFrame>
      ) : (
        <FieldFrame label={hasAddress ? t("网址（留空用公开地址）") : t("网址")}>
          {(control) => (
            <Input
              {...control}
              type="url"
              inputMode="url"
              value={state.url}
              onChange={(event) => state.setUrl(event.target.value)}
            />
          )}
        </FieldFrame>
      )}
      <div>
        <BusyButton busy={state.isBusy} onClick={() => void state.compare()}>
          {t("比较")}
        </BusyButton>
      </div>
    </div>
  );
}

function Totals({ comparison }: { readonly comparison: CatalogueComparison }) {
  const { t } = useTranslation();
  const { models, differences, quota, new_quota: newQuota, is_partial: isPartial } = comparison;
  return (
    <p className="text-[13px] tabular-nums">
      {t("目录有 {{models}} 个模型的价格，{{differences}} 个与内置价格不同。", {
        models: formatCount(models),
        differences: formatCount(differences.length),
      })}{" "}
      {t("最近 30 天的收入：")} <Money quota={quota} /> → <Money quota={newQuota} className="font-medium" />
      {isPartial && ` ${t("（只计算了最近的 20 万条日志）")}`}
    </p>
  );
}

/** Compares a newer catalogue of prices with the built-in ones, and adopts some of its prices in one change. */
export function CatalogueSheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const state = useComparison();
  const { comparison } = state;
  const [rehearsed, rehearse] = useState<readonly CatalogueDifference[]>();
  const adopt = async (chosen: readonly CatalogueDifference[]): Promise<void> => {
    if (!comparison) return;
    const large = chosen.filter((difference) => difference.needs_confirmation);
    const isSure =
      large.length === 0 ||
      (await confirm({
        title: t("{{count}} 个价格变化很大，仍然采用？", { count: large.length }),
        description: large.map(({ model }) => model).join(", "),
        action: t("采用"),
        danger: true,
      }));
    if (!isSure) return;
    try {
      await adoptPrices(comparison, chosen, large.length > 0);
      notifySuccess(t("已采用 {{count}} 个价格", { count: chosen.length }));
      state.setComparison(undefined);
      await refreshOptions();
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent className="gap-3 overflow-y-auto p-5 sm:max-w-3xl">
        <SheetTitle>{t("比较价格目录")}</SheetTitle>
        <SheetDescription>{t("与更新的目录比较内置价格，选择要采用的。您自己设置的价格不变。")}</SheetDescription>
        <ProposalNotice />
        <SourceFields state={state} />
        {comparison && (
          <>
            <Totals comparison={comparison} />
            <CatalogueDifferences
              key={`${comparison.revision} ${comparison.date}`}
              differences={comparison.differences}
              onAdopt={adopt}
              onRehearse={rehearse}
            />
          </>
        )}
        <Suspense>
          {comparison && rehearsed && (
            <RehearsalSheet
              proposal={{ changes: toAdoption(comparison, rehearsed), revision: comparison.revision }}
              onClose={() => rehearse(undefined)}
            />
          )}
        </Suspense>
      </SheetContent>
    </Sheet>
  );
}
