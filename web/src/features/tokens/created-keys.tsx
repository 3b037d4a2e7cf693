import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { copyText } from "../../components/copy-text.ts";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { notifySuccess } from "../../lib/toast.ts";
import { useCreatedKeys } from "./created-keys-state.ts";
import { chooseChatModel } from "../../domain/tokens/chat-model.ts";
import { Snippet } from "../../domain/tokens/snippet.tsx";
import { fullKey } from "../../domain/tokens/token-key.ts";
import { userModelsQuery } from "../../domain/tokens/tokens-api.ts";
import { useApiAddress } from "../../lib/status.ts";

/** The address of the API and ready calls with the new key. */
function FirstCall({ apiKey }: { readonly apiKey: string }) {
  const { t } = useTranslation();
  const address = `${useApiAddress()}/v1`;
  const models = useQuery(userModelsQuery).data;
  return (
    <div className="flex min-w-0 flex-col gap-3 border-t pt-4">
      <div className="flex items-center gap-1 rounded-lg bg-surface py-1 pr-1 pl-3">
        <span className="text-[13px] text-muted-foreground">{t("接口地址")}</span>
        <code className="ml-auto min-w-0 font-mono text-xs break-all">{address}</code>
        <CopyButton value={address} label={t("复制接口地址")} />
      </div>
      <Snippet apiKey={apiKey} model={chooseChatModel(models ?? []) ?? "gpt-4o-mini"} />
    </div>
  );
}

/** Shows the keys of new tokens, which some sites show only once. */
export function CreatedKeysDialog() {
  const { t } = useTranslation();
  const { tokens } = useCreatedKeys();
  const keys = tokens.map(({ key }) => fullKey(key));
  return (
    <Dialog open={tokens.length > 0} onOpenChange={(open) => !open && useCreatedKeys.setState({ tokens: [] })}>
      <DialogContent className="max-h-[90dvh] overflow-y-auto">
        <DialogTitle>{t("已创建 {{count}} 个令牌", { count: tokens.length })}</DialogTitle>
        <DialogDescription>{t("请妥善保管密钥，任何持有密钥的人都能使用您的余额。")}</DialogDescription>
        <ul className="flex max-h-72 flex-col gap-1 overflow-y-auto">
          {keys.map((key) => (
            <li key={key} className="flex items-center gap-1 rounded-lg bg-surface py-1 pr-1 pl-3">
              <code className="min-w-0 flex-1 font-mono text-xs break-all">{key}</code>
              <CopyButton value={key} label={t("复制密钥")} />
            </li>
          ))}
        </ul>
        {tokens[0] && <FirstCall apiKey={tokens[0].key} />}
        <DialogFooter>
          {keys.length > 1 && (
            <Button
              variant="outline"
              onClick={() => void copyText(keys.join("\n")).then((copied) => copied && notifySuccess(t("已复制")))}
            >
              {t("复制全部")}
            </Button>
          )}
          <Button onClick={() => useCreatedKeys.setState({ tokens: [] })}>{t("完成")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
