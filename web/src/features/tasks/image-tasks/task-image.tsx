import { ImageOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

const isShowable = (url: string): boolean => /^(?:https?:\/\/|\/(?!\/))/i.test(url);

/** An image task's image, or its video; shows a message when it cannot be loaded. */
export function TaskImage({ url, alt }: { readonly url: string; readonly alt: string }) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState(false);
  if (!isShowable(url)) return null;
  const inNewTab = { href: url, target: "_blank", rel: "noreferrer", title: t("在新标签页打开原图") };
  if (failed)
    return (
      <p className="flex flex-wrap items-center gap-2 rounded-md bg-muted px-3 py-6 text-[13px] text-muted-foreground">
        <ImageOff className="size-4 shrink-0" aria-hidden />
        {t("图片无法显示，可能已过期。")}
        <a className="underline" {...inNewTab}>
          {t("打开原图")}
        </a>
      </p>
    );
  return (
    <a {...inNewTab}>
      <img
        className="max-h-[50dvh] w-full rounded-md bg-muted object-contain"
        src={url}
        alt={alt}
        loading="lazy"
        onError={() => setFailed(true)}
      />
    </a>
  );
}
