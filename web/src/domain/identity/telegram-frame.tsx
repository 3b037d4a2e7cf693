import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Query } from "../../lib/api/api-client.ts";

const ORIGIN = "https://oauth.telegram.org";

type Sent = { readonly event?: unknown; readonly init?: unknown; readonly auth_data?: unknown };

function readSent(data: unknown): Sent {
  try {
    const sent: unknown = typeof data === "string" ? JSON.parse(data) : data;
    return typeof sent === "object" && sent !== null ? sent : {};
  } catch {
    return {};
  }
}

/** Telegram's data about the user who agreed; undefined for every other message of the frame. */
function readTelegramUser(data: unknown): Query | undefined {
  const { event, init, auth_data: telegramUser } = readSent(data);
  if (event !== "auth_user" || init === true || typeof telegramUser !== "object" || telegramUser === null)
    return undefined;
  const isPlain = (value: unknown): value is string | number => ["string", "number"].includes(typeof value);
  return Object.fromEntries(
    Object.entries(telegramUser).filter((entry): entry is [string, string | number] => isPlain(entry[1])),
  );
}

type TelegramFrameProps = { readonly botName: string; readonly onUser: (telegramUser: Query) => void };

/** Telegram's sign-in button. It uses Telegram's frame without Telegram's script: no foreign code runs in this page. */
export function TelegramFrame({ botName, onUser }: TelegramFrameProps) {
  const { t } = useTranslation();
  const notify = useEffectEvent(onUser);
  useEffect(() => {
    const listen = (message: MessageEvent): void => {
      const telegramUser = message.origin === ORIGIN ? readTelegramUser(message.data) : undefined;
      if (telegramUser) notify(telegramUser);
    };
    window.addEventListener("message", listen);
    return () => window.removeEventListener("message", listen);
  }, []);
  const query = new URLSearchParams({ origin: window.location.origin, return_to: window.location.href, size: "large" });
  return (
    <iframe
      title={t("用 Telegram 登录")}
      src={`${ORIGIN}/embed/${encodeURIComponent(botName)}?${query.toString()}`}
      className="mx-auto h-10 w-60 border-0"
    />
  );
}
