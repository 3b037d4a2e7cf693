import { Link } from "@tanstack/react-router";
import { Check, CircleDashed } from "lucide-react";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "../../components/ui/card.tsx";
import { cn } from "../../lib/utils.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { useIsAdmin } from "../../lib/session/session.ts";
import { type FirstSteps, useFirstSteps } from "./use-first-steps.ts";

const Snippet = lazy(async () => ({ default: (await import("../../domain/tokens/snippet.tsx")).Snippet }));

type Step = {
  readonly title: string;
  readonly help: string;
  readonly action: string;
  readonly to: "/admin/channels/new" | "/admin/settings" | "/app/tokens/new";
  readonly done: boolean | undefined;
};

const getSteps = (state: FirstSteps, admin: boolean): readonly Step[] => [
  ...(admin
    ? [
        {
          title: text("连接渠道"),
          help: text("填入上游账号的密钥，选择它提供的模型。"),
          action: text("新建渠道"),
          to: "/admin/channels/new",
          done: state.hasChannel,
        } as const,
        {
          title: text("设置价格"),
          help: text("常见模型已有默认价格，没有价格的模型不能调用。"),
          action: text("设置价格"),
          to: "/admin/settings",
          done: state.hasPrices,
        } as const,
      ]
    : []),
  {
    title: text("创建令牌"),
    help: text("程序用令牌的密钥调用模型。"),
    action: text("新建令牌"),
    to: "/app/tokens/new",
    done: state.hasToken,
  },
];

function StepRow({ step, isNext }: { readonly step: Step; readonly isNext: boolean }) {
  const { t } = useTranslation();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b py-3 last:border-b-0">
      {step.done === true ? (
        <Check className="size-5 shrink-0 text-good" aria-label={t("已完成")} />
      ) : (
        <CircleDashed className="size-5 shrink-0 text-muted-foreground" aria-label={t("未完成")} />
      )}
      <div className="min-w-0 flex-1">
        <p className={cn("font-medium", step.done === true && "text-muted-foreground")}>{t(step.title)}</p>
        <p className="text-[13px] text-muted-foreground">{t(step.help)}</p>
      </div>
      {step.done === false && (
        <Button asChild size="sm" variant={isNext ? "default" : "outline"}>
          <Link to={step.to}>{t(step.action)}</Link>
        </Button>
      )}
    </li>
  );
}

/** The first steps: what remains to do before the first call, and the call itself. Hidden after the first call. */
export function FirstStepsPanel() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const state = useFirstSteps();
  if (state.hasCall !== false) return null;
  const steps = getSteps(state, admin);
  const next = steps.find(({ done }) => done === false);
  const ready = steps.every(({ done }) => done === true);
  return (
    <Card>
      <CardHeader>
        <CardTitle>
          <h2>{t("开始使用")}</h2>
        </CardTitle>
        {admin && (
          <CardAction>
            <Button variant="outline" size="sm" asChild>
              <Link to="/admin/start">{t("打开设置向导")}</Link>
            </Button>
          </CardAction>
        )}
      </CardHeader>
      <CardContent className="flex flex-col gap-2">
        <ol>
          {steps.map((step) => (
            <StepRow key={step.to} step={step} isNext={step === next} />
          ))}
        </ol>
        {ready && (
          <div className="flex flex-col gap-3 border-t pt-3">
            <p className="flex items-center gap-2 text-[13px] text-muted-foreground" role="status">
              <span className="size-2 animate-pulse rounded-full bg-primary" aria-hidden />
              {t("一切就绪。运行下面的代码，第一次调用会自动出现在这里。")}
            </p>
            <Suspense>
              <Snippet apiKey={state.key} model={state.model ?? "gpt-4o-mini"} />
            </Suspense>
          </div>
        )}
      </CardContent>
    </Card>
  );
}
