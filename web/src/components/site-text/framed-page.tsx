import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useTheme } from "../../lib/theme.ts";

type FramedPageProps = { readonly address: string; readonly title: string };

/**
 * Another site's page, framed. It can run in its own origin and open windows, but cannot navigate this page. It gets
 * theme and language in the way that the pages of this family expect.
 */
export function FramedPage({ address, title }: FramedPageProps) {
  const { i18n } = useTranslation();
  const dark = useTheme((state) => state.dark);
  const frame = useRef<HTMLIFrameElement>(null);
  const notify = (): void => {
    const target = new URL(address).origin;
    frame.current?.contentWindow?.postMessage({ themeMode: dark ? "dark" : "light" }, target);
    frame.current?.contentWindow?.postMessage({ lang: i18n.language }, target);
  };
  const isLoaded = useRef(false);
  useEffect(() => {
    if (isLoaded.current) notify();
  });
  return (
    <iframe
      ref={frame}
      title={title}
      src={address}
      referrerPolicy="no-referrer"
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
      className="absolute inset-0 size-full border-0"
      onLoad={() => {
        isLoaded.current = true;
        notify();
      }}
    />
  );
}
