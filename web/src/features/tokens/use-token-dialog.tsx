import type { Token } from "@turnpike/contract/api/token";
import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { chooseChatModel } from "../../domain/tokens/chat-model.ts";
import { ModelChoice } from "../../domain/tokens/model-choice.tsx";
import { Snippet } from "../../domain/tokens/snippet.tsx";
import { userModelsQuery } from "../../domain/tokens/tokens-api.ts";
import { splitCommaList } from "../../lib/text/comma-list.ts";
import { useApiAddress } from "../../lib/status.ts";
import { useTokenInUse } from "./token-in-use.ts";

const close = (): void => useTokenInUse.setState({ token: undefined });

/** Set-ups of clients and programs with the key of one token. */
export function UseTokenDialog({ token }: { readonly token: Token }) {
  const { t } = useTranslation();
  const all = useQuery(userModelsQuery).data ?? [];
  const models = token.model_limits_enabled ? splitCommaList(token.model_limits) : all;
  const [chosen, setChosen] = useState<string>();
  const model = chosen ?? chooseChatModel(models) ?? "gpt-4o-mini";
  const address = `${useApiAddress()}/v1`;
  return (
    <Dialog open onOpenChange={(open) => !open && close()}>
      <DialogContent className="max-w-2xl">
        <DialogTitle className="pr-8 break-words">{t("使用令牌“{{name}}”", { name: token.name })}</DialogTitle>
        <DialogDescription>
          {t("选择程序或客户端，复制后即可使用。屏幕上的密钥是隐藏的，复制的内容里是完整的。")}
        </DialogDescription>
        {token.status !== TOKEN_STATUS.enabled && <Notice tone="warn">{t("这个令牌现在不能使用。")}</Notice>}
        {token.key === "" && (
          <Notice tone="info">{t("本站的密钥只在创建时显示一次，请把 sk-... 换成您保存的密钥。")}</Notice>
        )}
        {models.length > 0 && <ModelChoice models={models} model={model} onChoose={setChosen} />}
        <div className="flex items-center gap-1 rounded-lg bg-surface py-1 pr-1 pl-3">
          <span className="text-[13px] text-muted-foreground">{t("接口地址")}</span>
          <code className="ml-auto min-w-0 font-mono text-xs break-all">{address}</code>
          <CopyButton value={address} label={t("复制接口地址")} />
        </div>
        <Snippet apiKey={token.key === "" ? undefined : token.key} model={model} />
        <DialogFooter>
          <Button onClick={close}>{t("完成")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
