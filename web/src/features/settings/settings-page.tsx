import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { GroupSettings } from "./group-settings.tsx";
import { FallbackSettings } from "./fallback-settings.tsx";
import { PriceSettings } from "./price-settings.tsx";
import { OperationSettings, SiteSettings } from "./site-settings.tsx";
import { optionsQuery } from "./settings-api.ts";

const route = getRouteApi("/shell/signed-in/admin/admin/settings");
const DEFAULT_TAB = "operation";

/** How the site is set up. Each section saves by itself, and only what changed. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { tab = DEFAULT_TAB } = route.useSearch();
  const navigate = useNavigate();
  const options = useQuery(optionsQuery);
  const choose = (next: string): void =>
    void navigate({ to: "/admin/settings", search: { tab: next === "system" ? "system" : undefined } });
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-4">
      <PageHeader title={t("系统设置")} description={t("修改在一秒内对所有调用生效。")} />
      {options.isPending && <Skeleton className="h-96 w-full" />}
      {options.isError && !options.data && <ErrorState error={options.error} onRetry={() => void options.refetch()} />}
      {options.data && (
        <Tabs value={tab} onValueChange={choose} className="flex flex-col gap-4">
          <TabsList aria-label={t("系统设置")}>
            <TabsTrigger value="operation">{t("运营")}</TabsTrigger>
            <TabsTrigger value="system">{t("系统")}</TabsTrigger>
          </TabsList>
          <TabsContent value="operation" className="flex flex-col gap-4">
            <PriceSettings values={options.data} />
            <FallbackSettings values={options.data} />
            <GroupSettings values={options.data} />
            <OperationSettings values={options.data} />
          </TabsContent>
          <TabsContent value="system">
            <SiteSettings values={options.data} />
          </TabsContent>
        </Tabs>
      )}
    </div>
  );
}
