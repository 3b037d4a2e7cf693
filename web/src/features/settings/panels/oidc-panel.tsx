import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { useOnce } from "../../../hooks/use-once.ts";
import { describeError } from "../../../lib/api/api-error.ts";
import type { ValueOf } from "../section/setting-panel.ts";
import { SettingsPanel } from "../section/settings-panel.tsx";
import type { SettingsSection } from "../section/use-settings-section.ts";
import { discoverOidc, type OptionChange, type OptionValues } from "../settings-api.ts";
import { OIDC } from "./sign-in-panels.ts";

const ENDPOINTS: readonly OptionKey[] = [
  "oidc.authorization_endpoint",
  "oidc.token_endpoint",
  "oidc.user_info_endpoint",
];

/** The endpoints from a provider's discovery address. Throws ApiError. */
async function getEndpoints(wellKnown: string): Promise<OptionChange[]> {
  const found = await discoverOidc(wellKnown);
  return [
    { key: "oidc.authorization_endpoint", value: found.authorization_endpoint },
    { key: "oidc.token_endpoint", value: found.token_endpoint },
    { key: "oidc.user_info_endpoint", value: found.user_info_endpoint },
  ];
}

/** Adds the endpoints of a new discovery address to the change, unless endpoints were edited too. */
const withEndpoints = async (getValue: ValueOf, changed: readonly OptionKey[]): Promise<OptionChange[]> => {
  const wellKnown = getValue("oidc.well_known");
  const isNew = changed.includes("oidc.well_known") && wellKnown !== "";
  return isNew && !ENDPOINTS.some((key) => changed.includes(key)) ? getEndpoints(wellKnown) : [];
};

/** Fills in the endpoints from the discovery address. */
function Discover({ section }: { readonly section: SettingsSection }) {
  const { t } = useTranslation();
  const once = useOnce();
  const [result, setResult] = useState<{ readonly isBad: boolean; readonly message: string }>();
  const [busy, setBusy] = useState(false);
  const wellKnown = section.valueOf("oidc.well_known").trim();
  const discover = async (): Promise<void> => {
    setBusy(true);
    setResult(undefined);
    try {
      for (const { key, value } of await getEndpoints(wellKnown)) section.set(key, value);
      setResult({ isBad: false, message: t("已填写端点，请保存。") });
    } catch (error) {
      setResult({ isBad: true, message: describeError(error, t) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <BusyButton variant="outline" busy={busy} disabled={wellKnown === ""} onClick={() => once(discover)}>
        {t("从发现地址获取端点")}
      </BusyButton>
      <p
        role="status"
        className={result?.isBad === true ? "text-[13px] text-destructive" : "text-[13px] text-muted-foreground"}
      >
        {result?.message}
      </p>
    </div>
  );
}

/** Sign-in with an OpenID Connect provider. */
export function OidcPanel({ values }: { readonly values: OptionValues }) {
  return (
    <SettingsPanel panel={OIDC} values={values} before={withEndpoints}>
      {(section) => <Discover section={section} />}
    </SettingsPanel>
  );
}
