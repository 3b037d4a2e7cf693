import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Card, CardContent } from "../../components/ui/card.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import { cn } from "../../lib/utils.ts";
import { CallStep } from "./call-step.tsx";
import { ProviderStep } from "./provider-step.tsx";
import { TokenStep } from "./token-step.tsx";

const route = getRouteApi("/shell/signed-in/admin/admin/start");

const STEPS = [text("连接上游"), text("创建令牌"), text("第一次调用")] as const;

type StepsProps = { readonly current: number; readonly onChoose: (step: number) => void };

/** The steps; each can be opened at any time. */
function Steps({ current, onChoose }: StepsProps) {
  const { t } = useTranslation();
  return (
    <ol className="flex flex-wrap gap-2">
      {STEPS.map((title, index) => {
        const step = index + 1;
        return (
          <li key={title}>
            <button
              type="button"
              aria-current={step === current ? "step" : undefined}
              className={cn(
                "flex items-center gap-2 rounded-full border px-3 py-1 text-[13px]",
                step === current ? "border-primary bg-selected font-medium" : "text-muted-foreground hover:bg-muted",
              )}
              onClick={() => onChoose(step)}
            >
              <span className="tabular-nums" aria-hidden>
                {step}
              </span>
              {t(title)}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** The first minutes after the set-up: a provider, a token and a call. Every step can be skipped. */
export function StartPage() {
  const { t } = useTranslation();
  const { step = 1 } = route.useSearch();
  const patch = usePatchSearch<{ step?: number }>();
  const [key, setKey] = useState<string>();
  const goTo = (next: number): void => patch({ step: next === 1 ? undefined : next });
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-4">
      <PageHeader
        title={t("开始使用")}
        description={t("三步完成第一次调用，每一步都可以跳过。")}
        actions={
          <Button variant="outline" asChild>
            <Link to="/app/dashboard">{t("前往数据看板")}</Link>
          </Button>
        }
      />
      <Steps current={step} onChoose={goTo} />
      <Card>
        <CardContent className="flex min-w-0 flex-col gap-4">
          {step === 1 && <ProviderStep onDone={() => goTo(2)} />}
          {step === 2 && (
            <TokenStep
              onDone={(created) => {
                setKey(created);
                goTo(3);
              }}
            />
          )}
          {step === 3 && <CallStep createdKey={key} />}
        </CardContent>
      </Card>
      {step < STEPS.length && (
        <Button variant="ghost" className="self-end" onClick={() => goTo(step + 1)}>
          {t("跳过这一步")}
        </Button>
      )}
    </div>
  );
}
