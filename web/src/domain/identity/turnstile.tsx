import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { currentLanguage } from "../../lib/text/i18n.ts";
import { useTheme } from "../../lib/theme.ts";

type Widget = {
  render: (
    element: HTMLElement,
    options: {
      sitekey: string;
      theme: "light" | "dark";
      language: string;
      callback: (token: string) => void;
      "expired-callback": () => void;
      "error-callback": () => void;
    },
  ) => string | undefined;
  remove: (id: string) => void;
};

const ADDRESS = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

let loading: Promise<Widget> | undefined;

/** Loads the check's script once; after a failure it may be loaded again. */
function loadWidget(): Promise<Widget> {
  loading ??= new Promise<Widget>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = ADDRESS;
    script.async = true;
    script.addEventListener("load", () => {
      const { turnstile } = window as Window & { turnstile?: Widget };
      if (turnstile) resolve(turnstile);
      else reject(new Error("the script defines no widget"));
    });
    script.addEventListener("error", () => reject(new Error("the script could not be loaded")));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

type TurnstileProps = {
  readonly siteKey: string;
  /** The response of the check; "" before there is one. */
  readonly onToken: (token: string) => void;
};

/** Cloudflare Turnstile, the check against bots. */
export function Turnstile({ siteKey, onToken }: TurnstileProps) {
  const { t } = useTranslation();
  const dark = useTheme((state) => state.dark);
  const place = useRef<HTMLDivElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let widget: Widget | undefined;
    let id: string | undefined;
    let isOver = false;
    const fail = (): void => {
      onToken("");
      setFailed(true);
    };
    loadWidget().then((loaded) => {
      if (isOver || !place.current) return;
      widget = loaded;
      id = loaded.render(place.current, {
        sitekey: siteKey,
        theme: dark ? "dark" : "light",
        language: currentLanguage() === "en" ? "en" : "zh-cn",
        callback: onToken,
        "expired-callback": () => onToken(""),
        "error-callback": fail,
      });
    }, fail);
    return () => {
      isOver = true;
      if (id !== undefined) widget?.remove(id);
    };
  }, [siteKey, dark, attempt, onToken]);
  return (
    <div className="flex flex-col gap-1">
      <div ref={place} className="min-h-16" />
      {failed && (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-[13px] text-destructive">
          {t("人机验证加载失败。")}
          <Button
            variant="link"
            size="inline"
            onClick={() => {
              setFailed(false);
              setAttempt((count) => count + 1);
            }}
          >
            {t("重试")}
          </Button>
        </p>
      )}
    </div>
  );
}
