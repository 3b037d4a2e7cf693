import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { PolicySources } from "../http/security/content-security-policy.ts";

const TURNSTILE = "https://challenges.cloudflare.com";
const TELEGRAM = "https://telegram.org";

/**
 * The third-party scripts that sign-in pages need, each only while its option is on; the default policy already allows
 * their frames.
 */
export const widgetSources = (options: OptionsInForce): PolicySources => ({
  "script-src": [
    ...(options.flag("TurnstileCheckEnabled") ? [TURNSTILE] : []),
    ...(options.flag("TelegramOAuthEnabled") ? [TELEGRAM] : []),
  ],
});
