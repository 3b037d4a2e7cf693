import {
  type BINDING_TYPES,
  type OpenSession,
  type Passkey,
  type RecoveryCodes,
  type TwoFactorSetup,
  type TwoFactorStatus,
} from "@turnpike/contract/api/identity";
import { queryOptions } from "@tanstack/react-query";
import { api, type Query } from "../../lib/api-client.ts";
import { isAnything, isFlag, isListOf, isNumber, isObjectOf, isText } from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";
import { refreshSelf } from "./profile-api.ts";

export type BindingType = (typeof BINDING_TYPES)[number];

/** Takes away a way to sign in. */
export async function unbind(type: BindingType): Promise<void> {
  await api.delete(`/api/user/bindings/${type}`, { fits: isAnything });
  await refreshSelf();
}

async function bound(path: string, query: Query): Promise<void> {
  await api.get(path, { query, fits: isAnything });
  await refreshSelf();
}

/** Each binds one account to the user who is signed in. */
export const bindWeChat = (code: string) => bound("/api/oauth/wechat/bind", { code });
export const bindTelegram = (person: Query) => bound("/api/oauth/telegram/bind", person);
export const bindEmail = (email: string, code: string) => bound("/api/oauth/email/bind", { email, code });

export const twoFactorQuery = queryOptions({
  queryKey: ["two-factor"],
  queryFn: ({ signal }) =>
    api.get("/api/user/2fa/status", {
      fits: isObjectOf<TwoFactorStatus>({ enabled: isFlag, recovery_codes_left: isNumber, enabled_at: isNumber }),
      signal,
    }),
});
const refreshTwoFactor = (): Promise<void> => queryClient.invalidateQueries({ queryKey: twoFactorQuery.queryKey });

/** A new secret for an authenticator app; not in force before a code of it was shown. */
export const setUpTwoFactor = (): Promise<TwoFactorSetup> =>
  api.post("/api/user/2fa/setup", {
    body: {},
    fits: isObjectOf<TwoFactorSetup>({ secret: isText, otpauth_url: isText }),
  });

async function recoveryCodes(path: string, code: string): Promise<readonly string[]> {
  const fits = isObjectOf<RecoveryCodes>({ recovery_codes: isListOf(isText) });
  const { recovery_codes: codes } = await api.post(path, { body: { code }, fits });
  await refreshTwoFactor();
  return codes;
}

/** Switches the second factor on; answers the recovery codes, which are shown this once. */
export const enableTwoFactor = (code: string) => recoveryCodes("/api/user/2fa/enable", code);
/** New recovery codes; the ones before end. */
export const renewRecoveryCodes = (code: string) => recoveryCodes("/api/user/2fa/recovery_codes", code);

export async function disableTwoFactor(code: string): Promise<void> {
  await api.post("/api/user/2fa/disable", { body: { code }, fits: isAnything });
  await refreshTwoFactor();
}

const isPasskey = isObjectOf<Passkey>({
  id: isText,
  name: isText,
  created_at: isNumber,
  last_used_at: isNumber,
  backed_up: isFlag,
});

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => api.get("/api/user/passkey", { fits: isListOf(isPasskey), signal }),
});
export const refreshPasskeys = (): Promise<void> => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });

/** Makes a passkey with the browser and keeps it under a name. */
export async function addPasskey(name: string): Promise<void> {
  const { makePasskey } = await import("../../lib/passkeys.ts");
  const credential = await makePasskey();
  await api.post("/api/user/passkey/register/finish", { body: { credential, name }, fits: isPasskey });
}
export const renamePasskey = (id: string, name: string) =>
  api.put(`/api/user/passkey/${encodeURIComponent(id)}`, { body: { name }, fits: isPasskey });
export const deletePasskey = (id: string) =>
  api.delete(`/api/user/passkey/${encodeURIComponent(id)}`, { fits: isAnything });

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) =>
    api.get("/api/user/sessions", {
      fits: isListOf(
        isObjectOf<OpenSession>({
          id: isText,
          current: isFlag,
          address: isText,
          user_agent: isText,
          created_at: isNumber,
          last_seen_at: isNumber,
        }),
      ),
      signal,
    }),
});
export const refreshSessions = (): Promise<void> => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
export const endSession = (id: string) =>
  api.delete(`/api/user/sessions/${encodeURIComponent(id)}`, { fits: isAnything });
/** Ends the sessions of all devices, or of all but this one. */
export const endAllSessions = (keepCurrent: boolean) =>
  api.post("/api/user/sessions/revoke_all", { body: { keep_current: keepCurrent }, fits: isAnything });
