import type { Passkey } from "@turnpike/contract/api/identity";
import { useQuery } from "@tanstack/react-query";
import { Fingerprint, Pencil, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../../components/confirm.ts";
import { ErrorState } from "../../../components/states.tsx";
import { Time } from "../../../components/time.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { hasPasskeys } from "../../../lib/session/passkey-support.ts";
import { notifyError, notifySuccess } from "../../../lib/toast.ts";
import { describeDevice } from "./device.ts";
import { addPasskey, deletePasskey, passkeysQuery, refreshPasskeys, renamePasskey } from "./security-api.ts";
import { TitledCard } from "../titled-card.tsx";

const NameDialog = lazy(async () => ({ default: (await import("../name-dialog.tsx")).NameDialog }));

/** Adds a passkey; a user who cancels the browser's dialog sees no error. */
async function add(name: string): Promise<void> {
  try {
    await addPasskey(name);
  } catch (error) {
    const { wasCancelled } = await import("../../../lib/session/passkeys.ts");
    if (!wasCancelled(error)) notifyError(error);
  }
  await refreshPasskeys();
}

type RowProps = { readonly passkey: Passkey; readonly onRename: () => void };

function PasskeyRow({ passkey, onRename }: RowProps) {
  const { t } = useTranslation();
  const { id, name, created_at: created, last_used_at: used } = passkey;
  const remove = async (): Promise<void> => {
    const sure = await confirm({
      title: t("删除通行密钥“{{name}}”？", { name }),
      description: t("之后不能再用它登录。设备里的那一份要在设备上删除。"),
      action: t("删除"),
      danger: true,
    });
    if (!sure) return;
    await deletePasskey(id).then(() => notifySuccess(t("已删除“{{name}}”", { name })), notifyError);
    await refreshPasskeys();
  };
  return (
    <li className="flex min-h-12 items-center gap-3 border-b py-2 last:border-b-0">
      <Fingerprint className="size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate">{name}</p>
        <p className="text-[13px] text-muted-foreground">
          {t("创建于")} <Time seconds={created} />
          {" · "}
          {used === 0 ? (
            t("从未使用")
          ) : (
            <>
              {t("最近使用")} <Time seconds={used} />
            </>
          )}
        </p>
      </div>
      <Button variant="ghost" size="icon-sm" aria-label={t("重命名 {{name}}", { name })} onClick={onRename}>
        <Pencil />
      </Button>
      <Button variant="ghost" size="icon-sm" aria-label={t("删除 {{name}}", { name })} onClick={() => void remove()}>
        <Trash2 />
      </Button>
    </li>
  );
}

/** Passkeys of the user's devices, which sign in without a password. */
export function PasskeysCard() {
  const { t } = useTranslation();
  const passkeys = useQuery(passkeysQuery);
  const [named, setNamed] = useState<Passkey | "new">();
  const close = (): void => setNamed(undefined);
  const can = hasPasskeys();
  return (
    <TitledCard
      title={t("通行密钥")}
      description={t("用指纹、面容或安全密钥登录，不需要密码。")}
      actions={
        can && (
          <Button variant="outline" size="sm" onClick={() => setNamed("new")}>
            {t("添加通行密钥")}
          </Button>
        )
      }
    >
      {!can && <p className="text-[13px] text-muted-foreground">{t("通行密钥需要 https 和支持它的浏览器。")}</p>}
      {passkeys.isError && !passkeys.data && (
        <ErrorState error={passkeys.error} onRetry={() => void passkeys.refetch()} />
      )}
      {passkeys.isPending && <Skeleton className="h-12 w-full" />}
      {passkeys.data?.length === 0 && <p className="text-[13px] text-muted-foreground">{t("还没有通行密钥。")}</p>}
      {passkeys.data && passkeys.data.length > 0 && (
        <ul>
          {passkeys.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRename={() => setNamed(passkey)} />
          ))}
        </ul>
      )}
      <Suspense>
        {named !== undefined && (
          <NameDialog
            title={named === "new" ? t("添加通行密钥") : t("重命名通行密钥")}
            description={t("起一个能认出设备的名称。")}
            action={named === "new" ? t("继续") : t("保存")}
            initial={named === "new" ? describeDevice(navigator.userAgent) : named.name}
            onName={async (name) => {
              close();
              if (named === "new") return add(name);
              await renamePasskey(named.id, name).catch(notifyError);
              return refreshPasskeys();
            }}
            onClose={close}
          />
        )}
      </Suspense>
    </TitledCard>
  );
}
