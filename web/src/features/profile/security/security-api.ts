import {
  type BINDING_TYPES,
  OpenSession,
  Passkey,
  RecoveryCodes,
  TwoFactorSetup,
  TwoFactorStatus,
} from "@turnpike/contract/api/identity";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod/mini";
import { api, type Query } from "../../../lib/api/api-client.ts";
import { queryClient } from "../../../lib/api/query-client.ts";
import { refreshSelf } from "../profile-api.ts";

export type BindingType = (typeof BINDING_TYPES)[number];

/** Removes a way to sign in. */
export async function unbind(type: BindingType): Promise<void> {
  await api.delete(`/api/user/bindings/${type}`);
  await refreshSelf();
}

async function bound(path: string, query: Query): Promise<void> {
  await api.get(path, { query });
  await refreshSelf();
}

/** Each binds one third-party account to the signed-in user. */
export const bindWeChat = (code: string) => bound("/api/oauth/wechat/bind", { code });
export const bindTelegram = (telegramUser: Query) => bound("/api/oauth/telegram/bind", telegramUser);
export const bindEmail = (email: string, code: string) => bound("/api/oauth/email/bind", { email, code });

export const twoFactorQuery = queryOptions({
  queryKey: ["two-factor"],
  queryFn: ({ signal }) =>
    api.get("/api/user/2fa/status", {
      schema: TwoFactorStatus,
      signal,
    }),
});
const refreshTwoFactor = (): Promise<void> => queryClient.invalidateQueries({ queryKey: twoFactorQuery.queryKey });

/** A new secret for an authenticator app; not in force until one of its codes is entered. */
export const setUpTwoFactor = (): Promise<TwoFactorSetup> =>
  api.post("/api/user/2fa/setup", {
    body: {},
    schema: TwoFactorSetup,
  });

async function recoveryCodes(path: string, code: string): Promise<readonly string[]> {
  const { recovery_codes: codes } = await api.post(path, { body: { code }, schema: RecoveryCodes });
  await refreshTwoFactor();
  return codes;
}

/** Enables the second factor; returns the recovery codes, which are shown only once. */
export const enableTwoFactor = (code: string) => recoveryCodes("/api/user/2fa/enable", code);
/** Creates new recovery codes and revokes the previous ones. */
export const renewRecoveryCodes = (code: string) => recoveryCodes("/api/user/2fa/recovery_codes", code);

export async function disableTwoFactor(code: string): Promise<void> {
  await api.post("/api/user/2fa/disable", { body: { code } });
  await refreshTwoFactor();
}

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => api.get("/api/user/passkey", { schema: z.array(Passkey), signal }),
});
export const refreshPasskeys = (): Promise<void> => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });

/** Creates a passkey with the browser and stores it under a name. */
export async function addPasskey(name: string): Promise<void> {
  const { makePasskey } = await import("../../../lib/session/passkeys.ts");
  const credential = await makePasskey();
  await api.post("/api/user/passkey/register/finish", { body: { credential, name }, schema: Passkey });
}
export const renamePasskey = (id: string, name: string) =>
  api.put(`/api/user/passkey/${encodeURIComponent(id)}`, { body: { name }, schema: Passkey });
export const deletePasskey = (id: string) => api.delete(`/api/user/passkey/${encodeURIComponent(id)}`);

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) =>
    api.get("/api/user/sessions", {
      schema: z.array(OpenSession),
      signal,
    }),
});
export const refreshSessions = (): Promise<void> => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
export const endSession = (id: string) => api.delete(`/api/user/sessions/${encodeURIComponent(id)}`);
/** Ends the sessions of all devices, or of all other devices. */
export const endAllSessions = (keepCurrent: boolean) =>
  api.post("/api/user/sessions/revoke_all", { body: { keep_current: keepCurrent } });
