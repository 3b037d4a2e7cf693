import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorState } from "../../../components/states.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { notifySuccess } from "../../../lib/toast.ts";
import { disableTwoFactor, renewRecoveryCodes, twoFactorQuery } from "./security-api.ts";
import { TitledCard } from "../titled-card.tsx";

const SetupDialog = lazy(async () => ({ default: (await import("./two-factor-setup.tsx")).TwoFactorSetupDialog }));
const CodeDialog = lazy(async () => ({ default: (await import("./code-dialog.tsx")).CodeDialog }));
const RecoveryCodesDialog = lazy(async () => ({
  default: (await import("./recovery-codes-dialog.tsx")).RecoveryCodesDialog,
}));

type Step = "setup" | "disable" | "renew" | { readonly codes: readonly string[] };

/** The second factor of sign-in. */
export function TwoFactorCard() {
  const { t } = useTranslation();
  const status = useQuery(twoFactorQuery);
  const [step, setStep] = useState<Step>();
  const close = (): void => setStep(undefined);
  const isOn = status.data?.enabled === true;
  return (
    <TitledCard
      title={t("两步验证")}
      description={t("登录时除密码外，再输入验证器应用里的数字。")}
      actions={
        status.data &&
        (isOn ? (
          <>
            <Button variant="outline" size="sm" onClick={() => setStep("renew")}>
              {t("更换恢复码")}
            </Button>
            <Button variant="outline" size="sm" className="text-destructive" onClick={() => setStep("disable")}>
              {t("关闭两步验证")}
            </Button>
          </>
        ) : (
          <Button variant="outline" size="sm" onClick={() => setStep("setup")}>
            {t("开启")}
          </Button>
        ))
      }
    >
      {status.isError && !status.data && <ErrorState error={status.error} onRetry={() => void status.refetch()} />}
      {status.data && (
        <p className="flex flex-wrap items-center gap-2 text-[13px]">
          <StatusBadge dot tone={isOn ? "good" : "neutral"}>
            {isOn ? t("已开启") : t("未开启")}
          </StatusBadge>
          {isOn && (
            <span className="text-muted-foreground">
              {t("还有 {{count}} 个恢复码", { count: status.data.recovery_codes_left })}
            </span>
          )}
        </p>
      )}
      <Suspense>
        {step === "setup" && <SetupDialog onCodes={(codes) => setStep({ codes })} onClose={close} />}
        {step === "renew" && (
          <CodeDialog
            title={t("更换恢复码")}
            description={t("旧的恢复码会立刻失效。")}
            action={t("更换")}
            onCode={async (code) => setStep({ codes: await renewRecoveryCodes(code) })}
            onClose={close}
          />
        )}
        {step === "disable" && (
          <CodeDialog
            title={t("关闭两步验证")}
            description={t("输入验证器里的数字或一个恢复码。之后只凭密码就能登录。")}
            action={t("关闭两步验证")}
            isDangerous
            onCode={async (code) => {
              await disableTwoFactor(code);
              notifySuccess(t("两步验证已关闭"));
              close();
            }}
            onClose={close}
          />
        )}
        {typeof step === "object" && <RecoveryCodesDialog codes={step.codes} onClose={close} />}
      </Suspense>
    </TitledCard>
  );
}
