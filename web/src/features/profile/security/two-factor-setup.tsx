import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../../components/copy-button.tsx";
import { ErrorState } from "../../../components/states.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { CodeDialog } from "./code-dialog.tsx";
import { QrCode } from "./qr-code.tsx";
import { enableTwoFactor, setUpTwoFactor } from "./security-api.ts";

type TwoFactorSetupProps = {
  readonly onCodes: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
};

/** The secret for an authenticator app, and the first code that confirms it. */
export function TwoFactorSetupDialog({ onCodes, onClose }: TwoFactorSetupProps) {
  const { t } = useTranslation();
  // Each opening creates a new secret; it must not change while it is scanned.
  const setup = useQuery({
    queryKey: ["two-factor-setup"],
    queryFn: setUpTwoFactor,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <CodeDialog
      title={t("开启两步验证")}
      description={t("用验证器应用扫描二维码，再输入它显示的 6 位数字。")}
      action={t("开启")}
      onCode={async (code) => onCodes(await enableTwoFactor(code))}
      onClose={onClose}
    >
      {setup.isError && <ErrorState error={setup.error} onRetry={() => void setup.refetch()} />}
      {setup.isPending && <Skeleton className="mx-auto size-48" />}
      {setup.data && (
        <>
          <QrCode content={setup.data.otpauth_url} label={t("两步验证的二维码")} />
          <p className="flex items-center gap-1 rounded-lg bg-surface py-1 pr-1 pl-3">
            <code className="min-w-0 flex-1 font-mono text-xs break-all">{setup.data.secret}</code>
            <CopyButton value={setup.data.secret} label={t("复制密钥")} />
          </p>
        </>
      )}
    </CodeDialog>
  );
}
