import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { SmallFields } from "../../components/form/small-fields.tsx";
import { Notice } from "../../components/notice.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../components/ui/dialog.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { Code } from "./registration-form.ts";
import { useSiteStatus } from "../../lib/status.ts";

const CodeForm = z.object({ code: Code });

type WeChatDialogProps = {
  /** Translated; the purpose of the code. */
  readonly action: string;
  readonly onCode: (code: string) => Promise<unknown>;
  readonly onClose: () => void;
};

/** The QR code of the site's WeChat account, and the field for the code that the account replies with. */
export function WeChatDialog({ action, onCode, onClose }: WeChatDialogProps) {
  const { t } = useTranslation();
  const status = useSiteStatus();
  const form = useSmallForm(CodeForm, { code: "" });
  const send = useMutation({ mutationFn: onCode });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-sm">
        <DialogTitle>{t("微信扫码")}</DialogTitle>
        <DialogDescription>{t("扫码关注公众号，输入“验证码”获取验证码（三分钟内有效）。")}</DialogDescription>
        {status?.wechat_qrcode ? (
          <img
            src={status.wechat_qrcode}
            alt={t("公众号二维码")}
            className="mx-auto size-48 rounded-lg bg-white object-contain"
          />
        ) : null}
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={form.submit(({ code }) => send.mutateAsync(code.trim()).catch(() => undefined))}
        >
          {send.isError && <Notice tone="bad">{describeError(send.error, t)}</Notice>}
          <SmallFields
            form={form}
            fields={[{ name: "code", label: text("验证码"), autoComplete: "one-time-code", autoFocus: true }]}
          />
          <BusyButton type="submit" busy={send.isPending}>
            {action}
          </BusyButton>
        </form>
      </DialogContent>
    </Dialog>
  );
}
