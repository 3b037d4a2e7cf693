import type { OidcDiscovery, OptionRow, PresetRatios, PresetSource, UpdateCheck } from "@turnpike/contract/api/option";
import type { FallbackPricingBody } from "@turnpike/contract/options/fallback-pricing";
import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api-client.ts";
import {
  isAnything,
  isFlag,
  isListOf,
  isMapOf,
  isNullable,
  isNumber,
  isObjectOf,
  isOneOf,
  isText,
} from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";

const isOptionList = isListOf(isObjectOf<OptionRow>({ key: isText, value: isText }));

export type OptionValues = Readonly<Partial<Record<OptionKey, string>>>;

/** Every setting an admin may see, by key. */
export const optionsQuery = queryOptions({
  queryKey: ["options"],
  queryFn: async ({ signal }): Promise<OptionValues> => {
    const rows = await api.get("/api/option/", { fits: isOptionList, signal });
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  },
});

/** Which secrets hold something. What they hold is never sent. */
export const secretsQuery = queryOptions({
  queryKey: ["options", "secrets"],
  queryFn: ({ signal }) => api.get("/api/option/secrets", { fits: isMapOf(isFlag), signal }),
  retry: false,
});

/** The value in force of a setting: what is stored, else the built-in default. */
export const optionValue = (values: OptionValues, key: OptionKey): string => values[key] ?? OPTIONS[key].default;

/** A setting and its new value, as stored. */
export type OptionChange = { readonly key: OptionKey; readonly value: string };

/** Stores settings as one change: all of them or, when the server refuses one, none. */
export const saveOptions = (options: readonly OptionChange[]) =>
  api.put("/api/option/batch", { body: { options }, fits: isAnything });

/** Puts the model ratios back to the built-in table. */
export const resetModelRatio = () => api.post("/api/option/rest_model_ratio", { body: {}, fits: isAnything });

/** Deletes the usage logs before a moment and says how many went. Many rows take their time. */
export const clearLogs = (beforeSeconds: number): Promise<number> =>
  api.delete("/api/log/", { query: { target_timestamp: beforeSeconds }, fits: isNumber, timeoutMs: 90_000 });

/** Sends one mail with the stored settings. */
export const sendTestMail = (to: string) =>
  api.post("/api/option/test_mail", { body: { to }, fits: isAnything, timeoutMs: 60_000 });

const isOidcDiscovery = isObjectOf<OidcDiscovery>({
  issuer: isText,
  well_known: isText,
  authorization_endpoint: isText,
  token_endpoint: isText,
  user_info_endpoint: isText,
  end_session_endpoint: isText,
  scopes: isListOf(isText),
});

/** Reads the endpoints that an identity provider names; nothing is stored. */
export const discoverOidc = (wellKnown: string) =>
  api.post("/api/option/oidc_discovery", { body: { well_known: wellKnown }, fits: isOidcDiscovery });

const isRatios = isMapOf(isNumber);
const isPresetRatios = isObjectOf<PresetRatios>({
  source: isOneOf("flexible", "openrouter", "legacy"),
  model_ratio: isNullable(isRatios),
  completion_ratio: isRatios,
});

/** Reads a ready-made table of ratios; nothing is stored. */
export const readPreset = (source: PresetSource) =>
  api.get("/api/option/preset_ratios", { query: { source }, fits: isPresetRatios });

/** Whether the server would take these fallback prices; throws ApiError when not. */
export const validateFallback = (body: FallbackPricingBody) =>
  api.post("/api/option/validate_fallback_pricing", { body, fits: isAnything });

const isUpdateCheck = isObjectOf<UpdateCheck>({
  current: isText,
  latest: isNullable(isText),
  is_newer: isFlag,
  url: isNullable(isText),
  published_at: isNullable(isText),
  problem: isOneOf("", "not_configured", "unreachable", "unreadable"),
});

/** Looks for a newer version. */
export const checkForUpdate = () => api.get("/api/option/update_check", { fits: isUpdateCheck });

/** A change is in force everywhere within a second; until then another replica may still answer as before. */
const IN_FORCE_MS = 1_200;

/** Everything that settings show in is read again, what each replica keeps in memory once more when all of them know. */
export async function refreshOptions(): Promise<void> {
  const kept = [["status"], ["pricing"], ["user-groups"], ["group-names"], ["site-content"]];
  const readAll = (keys: readonly string[][]): Promise<unknown> =>
    Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  setTimeout(() => void readAll(kept), IN_FORCE_MS);
  await readAll([["options"], ...kept]);
}
