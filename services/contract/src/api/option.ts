import { z } from "zod";

/** One setting: its key and its value as text. */
export const OptionRow = z.object({ key: z.string(), value: z.string() });
export type OptionRow = z.infer<typeof OptionRow>;

/** Data of `GET /api/option/`; secrets are left out. */
export const OptionList = z.array(OptionRow);

/** Body of `PUT /api/option/`. Numbers and booleans are read as their text. */
export const OptionBody = z.object({
  key: z.string().min(1),
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
});

/** Body of `PUT /api/option/batch`: several settings that are stored as one change, all or none. */
export const OptionBatchBody = z.object({ options: z.array(OptionBody).min(1).max(300) });
export type OptionBatchBody = z.input<typeof OptionBatchBody>;

/** Data of `GET /api/option/secrets`: which secret options are set. */
export const SecretStates = z.record(z.string(), z.boolean());
export type SecretStates = z.infer<typeof SecretStates>;

/** Where preset ratios come from. */
export const PRESET_SOURCES = ["flexible", "openrouter", "legacy"] as const;
export type PresetSource = (typeof PRESET_SOURCES)[number];

/** Query of `GET /api/option/preset_ratios`. */
export const PresetQuery = z.object({ source: z.string().default("") });

/** Data of `GET /api/option/preset_ratios`; `model_ratio` is null for a source that has no table of these. */
export const PresetRatios = z.object({
  source: z.enum(PRESET_SOURCES),
  model_ratio: z.record(z.string(), z.number()).nullable(),
  completion_ratio: z.record(z.string(), z.number()),
});
export type PresetRatios = z.infer<typeof PresetRatios>;

/** Body of `POST /api/option/oidc_discovery`: the provider's address or that of its discovery document. */
export const OidcDiscoveryBody = z.object({ well_known: z.string().trim().default("") });
export type OidcDiscoveryBody = z.input<typeof OidcDiscoveryBody>;

/** Data of `POST /api/option/oidc_discovery`; endpoints the provider does not name are "". */
export const OidcDiscovery = z.object({
  issuer: z.string(),
  well_known: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  user_info_endpoint: z.string(),
  end_session_endpoint: z.string(),
  scopes: z.array(z.string()),
});
export type OidcDiscovery = z.infer<typeof OidcDiscovery>;

/** Data of `GET /api/option/update_check`; with a problem, nothing is known of the latest release. */
export const UpdateCheck = z.object({
  current: z.string(),
  latest: z.string().nullable(),
  is_newer: z.boolean(),
  url: z.string().nullable(),
  published_at: z.string().nullable(),
  problem: z.enum(["", "not_configured", "unreachable", "unreadable"]),
});
export type UpdateCheck = z.infer<typeof UpdateCheck>;
