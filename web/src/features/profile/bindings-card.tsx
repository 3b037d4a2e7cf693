import type { SiteStatus } from "@turnpike/contract/api/status";
import type { UserProfile } from "@turnpike/contract/api/user";
import { useMutation } from "@tanstack/react-query";
import { KeySquare, Mail, Send } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { BusyButton } from "../../components/busy-button.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { GitHubIcon, LinuxDoIcon, WeChatIcon } from "../../domain/identity/brand-icons.tsx";
import { oauthAddress, type OAuthProvider } from "../../domain/identity/sign-in-api.ts";
import { storeReturnAddress } from "../../domain/identity/return-address.ts";
import { bindWeChat, type BindingType, unbind } from "./security/security-api.ts";
import { TitledCard } from "./titled-card.tsx";

const WeChatDialog = lazy(async () => ({
  default: (await import("../../domain/identity/wechat-dialog.tsx")).WeChatDialog,
}));
const EmailDialog = lazy(async () => ({ default: (await import("./email-dialog.tsx")).EmailDialog }));
const TelegramDialog = lazy(async () => ({ default: (await import("./telegram-dialog.tsx")).TelegramDialog }));

type Binding = {
  readonly type: BindingType;
  readonly label: string;
  readonly icon: ReactNode;
  readonly account: (user: UserProfile) => string;
  readonly isOffered: (status: SiteStatus) => boolean;
};

const BINDINGS: readonly Binding[] = [
  { type: "email", label: text("邮箱"), icon: <Mail />, account: ({ email }) => email, isOffered: () => true },
  {
    type: "github",
    label: "GitHub",
    icon: <GitHubIcon />,
    account: ({ github_id: id }) => id,
    isOffered: ({ github_oauth: on }) => on,
  },
  {
    type: "oidc",
    label: "OIDC",
    icon: <KeySquare />,
    account: ({ oidc_id: id }) => id,
    isOffered: ({ oidc_enabled: on }) => on,
  },
  {
    type: "linuxdo",
    label: "LINUX DO",
    icon: <LinuxDoIcon />,
    account: ({ linux_do_id: id }) => id,
    isOffered: ({ linuxdo_oauth: on }) => on,
  },
  {
    type: "wechat",
    label: text("微信"),
    icon: <WeChatIcon />,
    account: ({ wechat_id: id }) => id,
    isOffered: ({ wechat_login: on }) => on,
  },
  {
    type: "telegram",
    label: "Telegram",
    icon: <Send />,
    account: ({ telegram_id: id }) => id,
    isOffered: ({ telegram_oauth: on }) => on,
  },
];

type Dialog = "email" | "wechat" | "telegram";
const isOAuth = (type: BindingType): type is OAuthProvider => ["github", "oidc", "linuxdo"].includes(type);

function useBinding(open: (dialog: Dialog) => void) {
  const { t } = useTranslation();
  const leave = useMutation({
    mutationFn: (provider: OAuthProvider) => oauthAddress(provider, undefined),
    onSuccess: (address) => {
      storeReturnAddress("/app/me?tab=security");
      window.location.assign(address);
    },
    onError: notifyError,
  });
  const drop = useMutation({
    mutationFn: unbind,
    onSuccess: () => notifySuccess(t("已解除绑定")),
    onError: notifyError,
  });
  return {
    isBusy: (type: BindingType) =>
      (leave.isPending && leave.variables === type) || (drop.isPending && drop.variables === type),
    bind: (type: BindingType): void => (isOAuth(type) ? leave.mutate(type) : open(type)),
    unbind: async (type: BindingType, name: string): Promise<void> => {
      const sure = await confirm({
        title: t("解除绑定 {{name}}？", { name }),
        description: t("之后不能再用它登录，可以重新绑定。"),
        action: t("解除绑定"),
        danger: true,
      });
      if (sure) drop.mutate(type);
    },
  };
}

/** Third-party accounts that the user can sign in with. */
export function BindingsCard({ user }: { readonly user: UserProfile }) {
  const { t } = useTranslation();
  const status = useSiteStatus();
  const [dialog, setDialog] = useState<Dialog>();
  const binding = useBinding(setDialog);
  const close = (): void => setDialog(undefined);
  const shown = BINDINGS.filter(({ account, isOffered }) => account(user) !== "" || (status && isOffered(status)));
  return (
    <TitledCard title={t("账户绑定")} description={t("绑定后可以用它们登录。")}>
      <ul className="flex flex-col">
        {shown.map(({ type, label, icon, account }) => {
          const id = account(user);
          const name = t(label);
          const isOffered = status !== undefined && BINDINGS.some((one) => one.type === type && one.isOffered(status));
          return (
            <li key={type} className="flex min-h-12 items-center gap-3 border-b py-2 last:border-b-0 [&_svg]:size-4">
              {icon}
              <div className="min-w-0 flex-1">
                <p>{name}</p>
                <p className="truncate text-[13px] text-muted-foreground" title={id}>
                  {id === "" ? t("未绑定") : id}
                </p>
              </div>
              {isOffered && (id === "" || type === "email") && (
                <BusyButton
                  variant="outline"
                  size="sm"
                  busy={binding.isBusy(type)}
                  aria-label={t("绑定 {{name}}", { name })}
                  onClick={() => binding.bind(type)}
                >
                  {id === "" ? t("绑定") : t("更换")}
                </BusyButton>
              )}
              {id !== "" && (
                <BusyButton
                  variant="outline"
                  size="sm"
                  busy={binding.isBusy(type)}
                  aria-label={t("解除绑定 {{name}}", { name })}
                  onClick={() => void binding.unbind(type, name)}
                >
                  {t("解除")}
                </BusyButton>
              )}
            </li>
          );
        })}
      </ul>
      <Suspense>
        {dialog === "email" && <EmailDialog onClose={close} />}
        {dialog === "telegram" && status && <TelegramDialog botName={status.telegram_bot_name} onClose={close} />}
        {dialog === "wechat" && (
          <WeChatDialog
            action={t("绑定")}
            onClose={close}
            onCode={async (code) => {
              await bindWeChat(code);
              notifySuccess(t("绑定成功"));
              close();
            }}
          />
        )}
      </Suspense>
    </TitledCard>
  );
}
