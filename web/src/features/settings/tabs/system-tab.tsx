import { OidcPanel } from "../panels/oidc-panel.tsx";
import { SmtpPanel } from "../panels/smtp-panel.tsx";
import { GITHUB, LINUX_DO, OIDC, OIDC_TOKENS, TELEGRAM, TURNSTILE, WECHAT } from "../panels/sign-in-panels.ts";
import {
  ADDRESS,
  EMAIL_DOMAINS,
  PAYMENT,
  REVERSE_PROXY,
  SIGN_IN,
  SMTP,
  STRIPE,
  WORKER,
} from "../panels/system-panels.ts";
import type { TabPanel } from "../section/setting-panel.ts";
import { fieldsOnly, TabPanels } from "../section/tab-panels.tsx";
import type { OptionValues } from "../settings-api.ts";

/** The sections of this tab. */
export const SYSTEM_PANELS: readonly TabPanel[] = [
  fieldsOnly(ADDRESS),
  fieldsOnly(REVERSE_PROXY),
  fieldsOnly(WORKER),
  fieldsOnly(PAYMENT),
  fieldsOnly(STRIPE),
  fieldsOnly(SIGN_IN),
  fieldsOnly(EMAIL_DOMAINS),
  { ...SMTP, Body: SmtpPanel },
  { ...OIDC, Body: OidcPanel },
  fieldsOnly(OIDC_TOKENS),
  fieldsOnly(GITHUB),
  fieldsOnly(LINUX_DO),
  fieldsOnly(WECHAT),
  fieldsOnly(TELEGRAM),
  fieldsOnly(TURNSTILE),
];

/** Addresses, payment, mail, and ways to sign in. */
export function SystemTab({ values }: { readonly values: OptionValues }) {
  return <TabPanels panels={SYSTEM_PANELS} values={values} />;
}
