import {
  OidcDiscovery,
  OptionList,
  PresetRatios,
  type PresetSource,
  SecretStates,
  UpdateCheck,
} from "@turnpike/contract/api/option";
import type { FallbackPricingBody } from "@turnpike/contract/options/fallback-pricing";
import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod/mini";
import { api } from "../../lib/api/api-client.ts";
import { queryClient } from "../../lib/api/query-client.ts";

export type OptionValues = Readonly<Partial<Record<OptionKey, string>>>;

/** Every setting that an administrator may see, by key. */
export const optionsQuery = queryOptions({
  queryKey: ["options"],
  queryFn: async ({ signal }): Promise<OptionValues> => {
    const rows = await api.get("/api/option/", { schema: OptionList, signal });
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  },
});

/** The secrets that are set. Their values are never sent. */
export const secretsQuery = queryOptions({
  queryKey: ["options", "secrets"],
  queryFn: ({ signal }) => api.get("/api/option/secrets", { schema: SecretStates, signal }),
  retry: false,
});

/** The effective value of a setting: the stored one, else the built-in default. */
export const optionValue = (values: OptionValues, key: OptionKey): string => values[key] ?? OPTIONS[key].default;

/** A setting and its new value, as stored. */
export type OptionChange = { readonly key: OptionKey; readonly value: string };

/** Stores settings as one change: all of them or, when the server refuses one, none. */
export const saveOptions = (options: readonly OptionChange[]) => api.put("/api/option/batch", { body: { options } });

/** Deletes the usage logs before a time and returns how many were deleted. Many rows take time. */
export const clearLogs = (beforeSeconds: number): Promise<number> =>
  api.delete("/api/log/", { query: { target_timestamp: beforeSeconds }, schema: z.number(), timeoutMs: 90_000 });

/** Sends one mail with the stored settings. */
export const sendTestMail = (to: string) => api.post("/api/option/test_mail", { body: { to }, timeoutMs: 60_000 });

/** Fetches the endpoints of an identity provider; stores nothing. */
export const discoverOidc = (wellKnown: string) =>
  api.post("/api/option/oidc_discovery", { body: { well_known: wellKnown }, schema: OidcDiscovery });

/** Fetches a preset table of ratios; stores nothing. */
export const readPreset = (source: PresetSource) =>
  api.get("/api/option/preset_ratios", { query: { source }, schema: PresetRatios });

/** Whether the server would accept these fallback prices; throws ApiError otherwise. */
export const validateFallback = (body: FallbackPricingBody) =>
  api.post("/api/option/validate_fallback_pricing", { body });

/** Checks for a newer version. */
export const checkForUpdate = () => api.get("/api/option/update_check", { schema: UpdateCheck });

/** A change takes effect everywhere within a second; until then another replica may still return the old value. */
const IN_FORCE_MS = 1_200;

/** Refetches everything that depends on settings, and the replicas' cached values again once all have the change. */
export async function refreshOptions(): Promise<void> {
  const kept = [["status"], ["pricing"], ["user-groups"], ["group-names"], ["site-content"]];
  const readAll = (keys: readonly string[][]): Promise<unknown> =>
    Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  setTimeout(() => void readAll(kept), IN_FORCE_MS);
  await readAll([["options"], ...kept]);
}
