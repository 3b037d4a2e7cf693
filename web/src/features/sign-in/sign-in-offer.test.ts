import type { SiteStatus } from "@turnpike/contract/api/status";
import { describe, expect, it } from "vitest";
import { toSignInOptions } from "./sign-in-offer.ts";

// Only the switches matter here.
const site = (switches: Partial<SiteStatus>): SiteStatus =>
  ({
    password_login: true,
    register_enabled: true,
    password_register: true,
    self_use_mode_enabled: false,
    github_oauth: false,
    oidc_enabled: false,
    linuxdo_oauth: false,
    wechat_login: false,
    telegram_oauth: false,
    ...switches,
  }) as SiteStatus;

describe("sign-in offer for a visitor", () => {
  it("follows the site's switches", () => {
    expect(toSignInOptions(site({}), false)).toEqual({
      password: true,
      others: false,
      registration: true,
      passwordRegistration: true,
    });
    expect(toSignInOptions(site({ password_login: false, oidc_enabled: true }), false)).toMatchObject({
      password: false,
      others: true,
    });
    expect(toSignInOptions(site({ password_register: false }), false)).toMatchObject({
      registration: true,
      passwordRegistration: false,
    });
  });

  it("has no registration when it is closed, or on a self-use site", () => {
    for (const switches of [{ register_enabled: false }, { self_use_mode_enabled: true }]) {
      expect(toSignInOptions(site(switches), true)).toMatchObject({ registration: false, passwordRegistration: false });
    }
  });

  it("is empty before the switches are loaded", () => {
    expect(toSignInOptions(undefined, true)).toMatchObject({ password: false, others: false, registration: false });
  });
});
