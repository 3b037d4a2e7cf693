import type { ModelStatus, ModelStatusList } from "@turnpike/contract/api/models/model-status";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { OptionSelect } from "../../components/option-select.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { EmptyState, ErrorState, NoMatches } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { ApiError } from "../../lib/api/api-error.ts";
import { modelStatusQuery } from "./model-status-api.ts";
import { ModelStatusRow } from "./model-status-row.tsx";

const route = getRouteApi("/shell/status");
type Search = ReturnType<typeof route.useSearch>;

/** Shows a visitor that the status is for signed-in users. */
function MembersOnly() {
  const { t } = useTranslation();
  return (
    <EmptyState
      text={t("本站的模型状态只对登录用户开放。")}
      action={
        <Button asChild>
          <Link to="/login" search={{ returnTo: "/status" }}>
            {t("登录")}
          </Link>
        </Button>
      }
    />
  );
}

const isMatch = (model: ModelStatus, { keyword = "", state }: Search): boolean =>
  model.model_name.toLowerCase().includes(keyword.toLowerCase()) &&
  (state === undefined || (state === "available") === (model.state === "available"));

/** The summary of all models in a sentence, and when it was read. */
function Summary({ list }: { readonly list: ModelStatusList }) {
  const { t } = useTranslation();
  const troubled = list.models.filter(({ state }) => state !== "available").length;
  return (
    <p className="flex flex-wrap gap-x-4 text-[13px] text-muted-foreground">
      <span role="status">
        {troubled === 0
          ? t("全部 {{count}} 个模型可用。", { count: list.models.length })
          : t("{{count}} 个模型有问题。", { count: troubled })}
      </span>
      <span>
        {t("更新于")} <Time seconds={list.updated_at} />
      </span>
      {!list.errors_logged && <span>{t("本站不记录失败的调用，因此没有错误率。")}</span>}
    </p>
  );
}

/** Models by name, filtered by the address. */
function Models({ list }: { readonly list: ModelStatusList }) {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<Search>();
  const shown = list.models.filter((model) => isMatch(model, search));
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          main
          label={t("搜索模型")}
          value={search.keyword ?? ""}
          onSearch={(keyword) => patch({ keyword })}
        />
        <OptionSelect
          className="h-9 w-full sm:w-40"
          aria-label={t("状态")}
          value={search.state ?? ""}
          options={[
            { value: "", label: t("全部状态") },
            { value: "available", label: t("可用") },
            { value: "troubled", label: t("有问题") },
          ]}
          onValueChange={(state) => patch({ state: state as Search["state"] })}
        />
      </div>
      <Summary list={list} />
      {shown.length === 0 ? (
        <NoMatches onClear={() => patch({ keyword: undefined, state: undefined })} />
      ) : (
        <ul className="divide-y rounded-lg border">
          {shown.map((model) => (
            <ModelStatusRow key={model.model_name} model={model} list={list} />
          ))}
        </ul>
      )}
      <p className="text-xs text-muted-foreground">
        {t("耗时是中位数和第 95 百分位数。柱子从左到右是最近 24 个小时，越高越红，失败的调用越多。")}
      </p>
    </>
  );
}

function Content() {
  const { t } = useTranslation();
  const status = useQuery(modelStatusQuery);
  const { data, error } = status;
  if (error instanceof ApiError && error.details.status === 401) return <MembersOnly />;
  if (!data && error) return <ErrorState error={error} onRetry={() => void status.refetch()} />;
  if (!data) return <Skeleton className="h-96 w-full" />;
  if (data.models.length === 0) return <EmptyState text={t("还没有可用的模型，管理员连接渠道后会出现在这里。")} />;
  return <Models list={data} />;
}

/** Which models can be called, and how their calls went. Open to visitors where the site publishes it. */
export function StatusPage() {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={t("模型状态")} description={t("可以调用的模型，以及最近的错误和耗时。")} />
      <Content />
    </div>
  );
}
