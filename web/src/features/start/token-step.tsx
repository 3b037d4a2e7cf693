import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { BusyButton } from "../../components/busy-button.tsx";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { Input } from "../../components/ui/input.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { createFirstToken } from "./start-api.ts";

const TokenForm = z.object({ name: z.string().check(z.trim(), z.minLength(1, text("请填写名称"))) });

/** Creates the first token; its key is used by the next step. */
export function TokenStep({ onDone }: { readonly onDone: (key: string) => void }) {
  const { t } = useTranslation();
  const form = useSmallForm(TokenForm, { name: t("我的第一个令牌") });
  const error = form.getError("name");
  const run = useMutation({
    mutationFn: createFirstToken,
    onSuccess: onDone,
    onError: (failure) => form.showError("name", describeError(failure, t)),
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.submit(({ name }) => run.mutateAsync(name).catch(() => undefined))}
    >
      <FieldFrame
        label={t("名称")}
        required
        error={error && t(error)}
        help={t("程序用令牌的密钥调用模型。以后可以给它设置额度和模型范围。")}
      >
        {(control) => <Input {...control} {...form.field("name")} autoFocus autoComplete="off" />}
      </FieldFrame>
      <BusyButton type="submit" className="self-start" busy={run.isPending}>
        {t("创建令牌")}
      </BusyButton>
    </form>
  );
}
