import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorState, NoMatches } from "../../components/states.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { type Description, listSections } from "./description.ts";
import { OperationCard } from "./operation-card.tsx";
import { descriptionQuery, type Subject } from "./reference-api.ts";

const route = getRouteApi("/shell/api-reference");

type SectionsProps = { readonly description: Description; readonly keyword: string; readonly onClear: () => void };

function Sections({ description, keyword, onClear }: SectionsProps) {
  const { t } = useTranslation();
  const sections = useMemo(() => listSections(description, keyword), [description, keyword]);
  if (sections.length === 0) return <NoMatches text={t("没有符合关键字的接口。")} onClear={onClear} />;
  return sections.map(({ name, description: about, entries }) => (
    <section key={name} className="flex flex-col gap-2">
      <h2 className="font-semibold">{name}</h2>
      {about !== "" && <p className="text-[13px] text-muted-foreground">{about}</p>}
      <ul className="flex flex-col gap-2">
        {entries.map((entry) => (
          <OperationCard key={`${entry.method} ${entry.path}`} description={description} entry={entry} />
        ))}
      </ul>
    </section>
  ));
}

type ReferenceProps = { readonly subject: Subject; readonly keyword: string; readonly onClear: () => void };

function Reference({ subject, keyword, onClear }: ReferenceProps) {
  const query = useQuery(descriptionQuery(subject));
  const shown = useDeferredValue(keyword);
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="h-96 w-full" />;
  return (
    <>
      <p className="text-[13px] whitespace-pre-line text-muted-foreground">{query.data.info.description}</p>
      <Sections description={query.data} keyword={shown} onClear={onClear} />
    </>
  );
}

/** The calls of the model API and of the console's API, from their OpenAPI descriptions. Open to visitors. */
export function ReferencePage() {
  const { t } = useTranslation();
  const { subject = "models", keyword = "" } = route.useSearch();
  const patch = usePatchSearch<{ subject?: Subject | undefined; keyword?: string | undefined }>();
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={t("接口文档")} description={t("本站提供的所有接口，按当前安装的版本列出。")} />
      <Tabs value={subject} onValueChange={(value) => patch({ subject: value as Subject })} className="gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <TabsList aria-label={t("接口文档")}>
            <TabsTrigger value="models">{t("模型接口")}</TabsTrigger>
            <TabsTrigger value="console">{t("控制台接口")}</TabsTrigger>
          </TabsList>
          <SearchInput
            main
            className="sm:w-64"
            label={t("查找接口")}
            value={keyword}
            onSearch={(next) => patch({ keyword: next })}
          />
        </div>
        <TabsContent value={subject} className="flex flex-col gap-4">
          <Reference subject={subject} keyword={keyword} onClear={() => patch({ keyword: undefined })} />
        </TabsContent>
      </Tabs>
    </div>
  );
}
