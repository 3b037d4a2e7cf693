import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Query } from "../../lib/api-client.ts";

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

/** What the frame says of the person who agreed just now; undefined for everything else it says. */
function personIn(data: unknown): Query | undefined {
  const { event, init, auth_data: person } = readSent(data);
  if (event !== "auth_user" || init === true || typeof person !== "object" || person === null) return undefined;
  const isPlain = (value: unknown): value is string | number => ["string", "number"].includes(typeof value);
  return Object.fromEntries(
    Object.entries(person).filter((entry): entry is [string, string | number] => isPlain(entry[1])),
  );
}

type TelegramFrameProps = { readonly botName: string; readonly onPerson: (person: Query) => void };

/** Telegram's sign-in button. Its frame alone, without Telegram's script: nothing of theirs runs in this page. */
export function TelegramFrame({ botName, onPerson }: TelegramFrameProps) {
  const { t } = useTranslation();
  const tell = useEffectEvent(onPerson);
  useEffect(() => {
    const listen = (message: MessageEvent): void => {
      const person = message.origin === ORIGIN ? personIn(message.data) : undefined;
      if (person) tell(person);
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
