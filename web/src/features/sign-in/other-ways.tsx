import { useMutation } from "@tanstack/react-query";
import { Fingerprint, KeySquare } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { hasPasskeys } from "../../lib/session/passkey-support.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { GitHubIcon, LinuxDoIcon, WeChatIcon } from "../../domain/identity/brand-icons.tsx";
import {
  oauthAddress,
  type OAuthProvider,
  type SignInOutcome,
  signInWithPasskey,
  signInWithTelegram,
  signInWithWeChat,
} from "../../domain/identity/sign-in-api.ts";
import { storeReturnAddress } from "../../domain/identity/return-address.ts";

const WeChatDialog = lazy(async () => ({
  default: (await import("../../domain/identity/wechat-dialog.tsx")).WeChatDialog,
}));
const TelegramFrame = lazy(async () => ({
  default: (await import("../../domain/identity/telegram-frame.tsx")).TelegramFrame,
}));

type OtherWaysProps = {
  readonly aff: string | undefined;
  /** The page after sign-in. */
  readonly returnTo: string;
  /** Only ways that can create an account. */
  readonly onlyNew?: boolean;
  readonly onOutcome: (outcome: SignInOutcome) => void;
  readonly onError: (error: unknown) => void;
};

/** Leaves the page for a provider's. */
function useOAuth({ aff, returnTo, onError }: Pick<OtherWaysProps, "aff" | "returnTo" | "onError">) {
  return useMutation({
    mutationFn: (provider: OAuthProvider) => oauthAddress(provider, aff),
    onSuccess: (address) => {
      storeReturnAddress(returnTo);
      window.location.assign(address);
    },
    onError,
  });
}

function PasskeyButton({ onOutcome, onError }: Pick<OtherWaysProps, "onOutcome" | "onError">) {
  const { t } = useTranslation();
  const signIn = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: onOutcome,
    onError: async (error) => {
      const { wasCancelled } = await import("../../lib/session/passkeys.ts");
      if (!wasCancelled(error)) onError(error);
    },
  });
  return (
    <BusyButton variant="outline" busy={signIn.isPending} onClick={() => signIn.mutate()}>
      <Fingerprint />
      {t("用通行密钥登录")}
    </BusyButton>
  );
}

/** Every way to sign in that the site offers besides the password. */
export function OtherWays(props: OtherWaysProps) {
  const { onOutcome, onError, onlyNew = false } = props;
  const { t } = useTranslation();
  const status = useSiteStatus();
  const oauth = useOAuth(props);
  const [weChatOpen, setWeChatOpen] = useState(false);
  const telegram = useMutation({ mutationFn: signInWithTelegram, onSuccess: onOutcome, onError });
  if (!status) return null;
  const providers = [
    { provider: "github", on: status.github_oauth, label: t("用 GitHub 登录"), icon: <GitHubIcon /> },
    { provider: "oidc", on: status.oidc_enabled, label: t("用 OIDC 登录"), icon: <KeySquare /> },
    { provider: "linuxdo", on: status.linuxdo_oauth, label: t("用 LINUX DO 登录"), icon: <LinuxDoIcon /> },
  ] as const;
  return (
    <>
      {!onlyNew && hasPasskeys() && <PasskeyButton onOutcome={onOutcome} onError={onError} />}
      {providers
        .filter(({ on }) => on)
        .map(({ provider, label, icon }) => (
          <BusyButton
            variant="outline"
            key={provider}
            busy={oauth.isPending && oauth.variables === provider}
            onClick={() => oauth.mutate(provider)}
          >
            {icon}
            {label}
          </BusyButton>
        ))}
      {status.wechat_login && (
        <Button variant="outline" onClick={() => setWeChatOpen(true)}>
          <WeChatIcon />
          {t("用微信登录")}
        </Button>
      )}
      <Suspense>
        {!onlyNew && status.telegram_oauth && (
          <TelegramFrame botName={status.telegram_bot_name} onUser={telegram.mutate} />
        )}
        {weChatOpen && (
          <WeChatDialog
            action={t("登录")}
            onCode={async (code) => onOutcome(await signInWithWeChat(code))}
            onClose={() => setWeChatOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}
