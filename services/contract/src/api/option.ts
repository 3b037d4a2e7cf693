import { z } from "zod/mini";

/** One setting: its key and its value as text. */
export const OptionRow = z.object({ key: z.string(), value: z.string() });
export type OptionRow = z.infer<typeof OptionRow>;

/** Data of `GET /api/option/`, without secrets. */
export const OptionList = z.array(OptionRow);

/** Body of `PUT /api/option/`. Numbers and booleans are read as their text. */
export const OptionBody = z.object({
  key: z.string().check(z.minLength(1)),
  value: z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String)),
});

/** Body of `PUT /api/option/batch`: several settings that are stored as one change, all or none. */
export const OptionBatchBody = z.object({ options: z.array(OptionBody).check(z.minLength(1), z.maxLength(300)) });
export type OptionBatchBody = z.input<typeof OptionBatchBody>;

/** Data of `GET /api/option/secrets`: the secret options that are set. */
export const SecretStates = z.record(z.string(), z.boolean());
export type SecretStates = z.infer<typeof SecretStates>;

/** Sources of preset ratios. */
export const PRESET_SOURCES = ["flexible", "openrouter", "legacy"] as const;
export type PresetSource = (typeof PRESET_SOURCES)[number];

/** Query of `GET /api/option/preset_ratios`. */
export const PresetQuery = z.object({ source: z._default(z.string(), "") });

/** Data of `GET /api/option/preset_ratios`; `model_ratio` is null for a source without such a table. */
export const PresetRatios = z.object({
  source: z.enum(PRESET_SOURCES),
  model_ratio: z.nullable(z.record(z.string(), z.number())),
  completion_ratio: z.record(z.string(), z.number()),
});
export type PresetRatios = z.infer<typeof PresetRatios>;

/** Body of `POST /api/option/oidc_discovery`: the provider's address or that of its discovery document. */
export const OidcDiscoveryBody = z.object({ well_known: z._default(z.string().check(z.trim()), "") });
export type OidcDiscoveryBody = z.input<typeof OidcDiscoveryBody>;

/** Data of `POST /api/option/oidc_discovery`; endpoints that the provider does not list are "". */
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

/** Data of `GET /api/option/update_check`; with a problem, the latest release is unknown. */
export const UpdateCheck = z.object({
  current: z.string(),
  latest: z.nullable(z.string()),
  is_newer: z.boolean(),
  url: z.nullable(z.string()),
  published_at: z.nullable(z.string()),
  problem: z.enum(["", "not_configured", "unreachable", "unreadable"]),
});
export type UpdateCheck = z.infer<typeof UpdateCheck>;
