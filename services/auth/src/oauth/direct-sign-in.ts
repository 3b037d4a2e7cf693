import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { TicketStore } from "../codes/ticket-store.ts";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import { ADDRESS_LIMITS } from "../limits/limit-rules.ts";
import type { OptionReader } from "../options/option-reader.ts";
import type { SecretReader } from "../options/secret-reader.ts";
import type { SessionService } from "../sessions/session-service.ts";
import type { SignInFinish } from "../sign-in/sign-in-finish.ts";
import type { Identities } from "./identities.ts";
import { type From, findSessionUserId } from "./oauth-service.ts";
import type { IdentityKind } from "./provider.ts";
import { readTelegram, TELEGRAM_AGE_SECONDS_MAX } from "./telegram.ts";
import { identifyByWechat } from "./wechat.ts";

const WECHAT: IdentityKind = { title: "WeChat", field: "wechatId", usernamePrefix: "wechat", reportsEmail: false };
const TELEGRAM: IdentityKind = {
  title: "Telegram",
  field: "telegramId",
  usernamePrefix: "telegram",
  reportsEmail: false,
};
/** A widget response is single-use for longer than its freshness window. */
const USED_LOGIN = { name: "telegram-used", lifeSeconds: TELEGRAM_AGE_SECONDS_MAX + 120 } as const;

export type DirectSignIn = ReturnType<typeof createDirectSignIn>;

/** Signing in and linking without leaving the site: a code of the WeChat account, the Telegram widget. */
export function createDirectSignIn(deps: {
  identities: Identities;
  sessions: SessionService;
  finish: SignInFinish;
  tickets: TicketStore;
  limits: AttemptLimits;
  options: OptionReader;
  readSecret: SecretReader;
  fetch: PrivateAddressGuard["fetch"];
  nowSeconds: () => number;
}) {
  const { identities, sessions, finish, tickets, limits, options, readSecret, fetch, nowSeconds } = deps;

  const checkEnabled = (kind: IdentityKind, isOn: boolean): void => {
    if (!isOn)
      throw new AppError("oauth_disabled", `${kind.title} is switched off`, { params: { provider: kind.title } });
  };
  const bind = async (kind: IdentityKind, id: string, sessionId: string): Promise<undefined> => {
    const userId = await findSessionUserId(sessions, sessionId);
    if (userId === 0) throw new AppError("unauthenticated", "no signed-in user to bind to");
    await identities.bind(userId, kind, id);
  };
  const readWidget = async (fields: Readonly<Record<string, string>>, inForce: OptionsInForce): Promise<string> => {
    checkEnabled(TELEGRAM, inForce.flag("TelegramOAuthEnabled"));
    const botToken = await readSecret("TelegramBotToken");
    const id = readTelegram(fields, { botToken, nowSeconds: nowSeconds() });
    if (id !== undefined && (await tickets.useOnce(USED_LOGIN, fields["hash"]?.toLowerCase() ?? ""))) return id;
    throw new AppError("telegram_data_invalid", "the widget's response is forged, old or used");
  };
  return {
    /**
     * Signs in, or links the account and returns undefined. Throws wechat_code_wrong, oauth_already_bound, rate_limited
     * after wrong codes.
     */
    async byWechat(code: string, isBinding: boolean, from: From): Promise<SignedIn | undefined> {
      const inForce = await options.inForce();
      checkEnabled(WECHAT, inForce.flag("WeChatAuthEnabled"));
      const attempt = await limits.takeFrom(ADDRESS_LIMITS.wechat, from.visitor?.address ?? "");
      const identity = await identifyByWechat({ options: inForce, readSecret, fetch }, code.trim());
      await attempt.undo();
      if (isBinding) return bind(WECHAT, identity.id, from.sessionId);
      return finish.openOrWait(await identities.findOrRegister(WECHAT, identity, ""), from.visitor);
    },
    /**
     * Signs in a user whose account is already linked, or links it and returns undefined. Throws telegram_data_invalid,
     * telegram_not_bound.
     */
    async byTelegram(
      fields: Readonly<Record<string, string>>,
      isBinding: boolean,
      from: From,
    ): Promise<SignedIn | undefined> {
      await limits.takeFrom(ADDRESS_LIMITS.oauthFinish, from.visitor?.address ?? "");
      const id = await readWidget(fields, await options.inForce());
      if (isBinding) return bind(TELEGRAM, id, from.sessionId);
      const user = await identities.find("telegramId", id);
      if (!user) throw new AppError("telegram_not_bound", "no user has bound this Telegram account");
      return finish.openOrWait(user, from.visitor);
    },
  };
}
