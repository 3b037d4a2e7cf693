import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/page-header.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import { Overview } from "./overview.tsx";

const Security = lazy(async () => ({ default: (await import("./security/security.tsx")).Security }));
const NotificationSettings = lazy(async () => ({
  default: (await import("./settings/notification-settings.tsx")).NotificationSettings,
}));
const PriceSettings = lazy(async () => ({ default: (await import("./settings/switch-settings.tsx")).PriceSettings }));
const OtherSettings = lazy(async () => ({ default: (await import("./settings/switch-settings.tsx")).OtherSettings }));

const route = getRouteApi("/shell/signed-in/app/me");

const TABS = [
  { value: "overview", label: text("概览"), Panel: Overview },
  { value: "security", label: text("账户与安全"), Panel: Security },
  { value: "notification", label: text("通知设置"), Panel: NotificationSettings },
  { value: "price", label: text("价格设置"), Panel: PriceSettings },
  { value: "other", label: text("其他设置"), Panel: OtherSettings },
] as const;

/** The user's own account. */
export function ProfilePage() {
  const { t } = useTranslation();
  const { tab = "overview" } = route.useSearch();
  const navigate = useNavigate();
  const choose = (value: string): void => {
    const next = TABS.find((one) => one.value === value)?.value;
    void navigate({ to: "/app/me", search: next === undefined || next === "overview" ? {} : { tab: next } });
  };
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-4">
      <PageHeader title={t("个人设置")} description={t("您的余额、登录方式和通知。")} />
      <Tabs value={tab} onValueChange={choose} className="flex flex-col gap-4">
        <TabsList aria-label={t("个人设置")} className="flex-wrap">
          {TABS.map(({ value, label }) => (
            <TabsTrigger key={value} value={value}>
              {t(label)}
            </TabsTrigger>
          ))}
        </TabsList>
        {TABS.map(({ value, Panel }) => (
          <TabsContent key={value} value={value}>
            <Suspense fallback={<Skeleton className="h-64 w-full" />}>
              <Panel />
            </Suspense>
          </TabsContent>
        ))}
      </Tabs>
    </div>
  );
}
