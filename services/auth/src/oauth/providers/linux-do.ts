import { AppError } from "@turnpike/shared/errors/app-error";
import { z } from "zod";
import type { Endpoints } from "../endpoints.ts";
import { callProvider, exchangeCode, type Provider, refused } from "../provider.ts";

const PROVIDER = "LINUX DO";
const Profile = z.object({
  id: z.int().positive(),
  username: z.string(),
  name: z.string().nullish(),
  active: z.boolean().default(true),
  trust_level: z.int().default(0),
});

/** LINUX DO Connect; the site may require a trust level. */
export const linuxDo = (endpoints: Endpoints): Provider => ({
  title: PROVIDER,
  field: "linuxDoId",
  usernamePrefix: "linuxdo",
  reportsEmail: false,
  isEnabled: (options) => options.flag("LinuxDOOAuthEnabled"),
  async authorizeUrl({ options }, { state, redirectUri }) {
    const url = new URL(endpoints.LINUX_DO_AUTHORIZATION_ENDPOINT);
    url.search = new URLSearchParams({
      response_type: "code",
      client_id: options.text("LinuxDOClientId"),
      redirect_uri: redirectUri,
      state,
    }).toString();
    return url.href;
  },
  async identify({ options, readSecret, fetch }, { params, journey }) {
    const call = { provider: PROVIDER, fetch };
    const code = params["code"] ?? "";
    if (code === "") throw refused(PROVIDER, "no code");
    const credentials = `${options.text("LinuxDOClientId")}:${await readSecret("LinuxDOClientSecret")}`;
    const token = await exchangeCode(call, endpoints.LINUX_DO_TOKEN_ENDPOINT, {
      body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: journey.redirectUri }),
      headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
    });
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const profile = await callProvider({ ...call, shape: Profile }, endpoints.LINUX_DO_USER_ENDPOINT, { headers });
    if (!profile.active) throw refused(PROVIDER, "the account is not active");
    const needed = options.number("LinuxDOMinimumTrustLevel");
    if (profile.trust_level < needed)
      throw new AppError("oauth_trust_level_too_low", `trust level ${profile.trust_level} is below ${needed}`, {
        params: { needed: String(needed) },
      });
    return {
      id: String(profile.id),
      displayName: profile.name || profile.username,
      username: undefined,
      email: undefined,
    };
  },
});
