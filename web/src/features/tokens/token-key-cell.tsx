import type { Token } from "@turnpike/contract/api/token";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Hint } from "../../components/hint.tsx";
import { fullKey, maskedKey } from "../../domain/tokens/token-key.ts";

/** A token's key: masked until it is requested, with a copy button. Some sites show keys at creation only. */
export function TokenKeyCell({ token }: { readonly token: Token }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  if (token.key === "") {
    return (
      <Hint text={t("本站的密钥只在创建时显示一次")}>
        <span className="text-muted-foreground">{t("已隐藏")}</span>
      </Hint>
    );
  }
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <code className="min-w-0 font-mono text-xs break-all whitespace-normal sm:whitespace-nowrap">
        {shown ? fullKey(token.key) : maskedKey(token.key)}
      </code>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-pressed={shown}
        aria-label={
          shown ? t("隐藏 {{name}} 的密钥", { name: token.name }) : t("显示 {{name}} 的密钥", { name: token.name })
        }
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeOff className="text-muted-foreground" /> : <Eye className="text-muted-foreground" />}
      </Button>
      <CopyButton value={fullKey(token.key)} label={t("复制密钥")} />
    </span>
  );
}
