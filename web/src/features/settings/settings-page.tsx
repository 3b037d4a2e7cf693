import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ComponentType, lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { loadAreaTexts, type TextArea } from "../../lib/text/i18n.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { settingPlacesQuery } from "./setting-places.ts";
import { type OptionValues, optionsQuery } from "./settings-api.ts";

type Tab = ComponentType<{ readonly values: OptionValues }>;

/** A tab that is loaded, with its texts, when it is opened. */
const getTab = (area: TextArea, load: () => Promise<Tab>): Tab =>
  lazy(async () => {
    const [Body] = await Promise.all([load(), loadAreaTexts(area)]);
    return { default: Body };
  });

const TABS = [
  {
    value: "operation",
    label: text("运营"),
    Body: getTab("settings-operation", async () => (await import("./tabs/operation-tab.tsx")).OperationTab),
  },
  {
    value: "ratelimit",
    label: text("速率限制"),
    Body: getTab("settings-models", async () => (await import("./tabs/model-tabs.tsx")).RateLimitTab),
  },
  {
    value: "models",
    label: text("模型设置"),
    Body: getTab("settings-models", async () => (await import("./tabs/model-tabs.tsx")).ModelsTab),
  },
  {
    value: "system",
    label: text("系统"),
    Body: getTab("settings-system", async () => (await import("./tabs/system-tab.tsx")).SystemTab),
  },
  {
    value: "other",
    label: text("其他"),
    Body: getTab("settings-other", async () => (await import("./tabs/other-tab.tsx")).OtherTab),
  },
] as const;

const SettingsSearch = lazy(async () => ({ default: (await import("./settings-search.tsx")).SettingsSearch }));

const route = getRouteApi("/shell/signed-in/admin/admin/settings");

/** Opens the section of the option that the address names. */
function useNamedOption(option: string | undefined): void {
  const navigate = useNavigate();
  const places = useQuery({ ...settingPlacesQuery, enabled: option !== undefined }).data;
  useEffect(() => {
    if (option === undefined || !places) return;
    const place = places.find(({ key }) => key === option);
    const address = { to: "/admin/settings", search: { tab: place?.tab }, replace: true } as const;
    void navigate(place ? { ...address, hash: place.section } : address);
  }, [option, places, navigate]);
}

/** The site's settings. Each section saves by itself, and only what changed. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { tab = TABS[0].value, option } = route.useSearch();
  useNamedOption(option);
  const navigate = useNavigate();
  const options = useQuery(optionsQuery);
  const choose = (next: string): void => {
    const found = TABS.find(({ value }) => value === next)?.value;
    void navigate({ to: "/admin/settings", search: { tab: found === TABS[0].value ? undefined : found } });
  };
  const waiting = <Skeleton className="h-96 w-full" />;
  return (
    <div className="mx-auto flex max-w-[1280px] flex-col gap-4">
      <PageHeader
        title={t("系统设置")}
        description={t("修改在一秒内对所有调用生效。")}
        actions={
          <Suspense>
            <SettingsSearch />
          </Suspense>
        }
      />
      {options.isPending && waiting}
      {options.isError && !options.data && <ErrorState error={options.error} onRetry={() => void options.refetch()} />}
      {options.data && (
        <Tabs value={tab} onValueChange={choose} className="flex flex-col gap-4">
          <TabsList aria-label={t("系统设置")}>
            {TABS.map(({ value, label }) => (
              <TabsTrigger key={value} value={value} className="max-sm:px-1.5">
                {t(label)}
              </TabsTrigger>
            ))}
          </TabsList>
          {TABS.map(({ value, Body }) => (
            <TabsContent key={value} value={value}>
              <Suspense fallback={waiting}>
                <Body values={options.data} />
              </Suspense>
            </TabsContent>
          ))}
        </Tabs>
      )}
    </div>
  );
}
