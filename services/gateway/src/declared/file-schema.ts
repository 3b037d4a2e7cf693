import { z } from "zod";

/** Where a secret is: it never stands in a file. */
export const SecretReference = z
  .union([
    z.strictObject({ env: z.string().min(1).describe("Name of an environment variable") }),
    z.strictObject({ file: z.string().min(1).describe("Path of a file; a new line at its end is ignored") }),
    z.strictObject({
      secret: z.string().min(1).describe("Name of a Kubernetes Secret that the chart mounts"),
      key: z.string().min(1).describe("Key in it"),
    }),
  ])
  .describe("A reference to a secret: { env }, { file } or { secret, key }");
export type SecretReference = z.infer<typeof SecretReference>;

const names = z.array(z.string().min(1));
const texts = z.record(z.string(), z.string());
const anyObject = z.record(z.string(), z.json());
const text = z.string().default("");
const count = z.int().min(0).default(0);
/** No upper end that JSON cannot carry exactly. */
const quota = z.int().min(0).max(1e15);

export const DeclaredChannel = z
  .strictObject({
    name: z.string().min(1).max(255),
    type: z.union([z.int(), z.string()]).describe("Number or name of the provider"),
    key: SecretReference.optional().describe("The upstream keys; several are separated by commas or new lines"),
    status: z.enum(["enabled", "disabled"]).default("enabled"),
    base_url: text,
    models: names.min(1),
    groups: names.min(1).default(["default"]),
    priority: z.int().default(0),
    weight: count,
    tag: text,
    model_prefix: text,
    test_model: text,
    auto_ban: z.boolean().default(true).describe("Whether failures may disable the channel"),
    other: text.describe("The provider's own field: region, API version and the like"),
    openai_organization: text,
    max_input_tokens: count,
    model_mapping: texts.default({}).describe("Model names here to names upstream"),
    status_code_mapping: anyObject.default({}),
    setting: anyObject.default({}),
    param_override: anyObject.default({}),
    cost: anyObject.default({}).describe("What the upstream charges"),
  })
  .describe("A channel: an upstream account. A field that is missing has its default.");
export type DeclaredChannel = z.output<typeof DeclaredChannel>;

export const DeclaredToken = z
  .strictObject({
    name: z.string().min(1).max(30),
    key: SecretReference.optional().describe("The key of its callers; without it, a new key is created"),
    status: z.enum(["enabled", "disabled"]).default("enabled"),
    expires_at: z.iso.datetime().optional().describe("Time in UTC; never when it is missing"),
    quota: quota.optional().describe("Quota units over the token's life; unlimited when it is missing"),
    budget: z
      .strictObject({ period: z.enum(["day", "week", "month"]), quota: quota.min(1) })
      .optional()
      .describe("Quota units for each period, in place of quota"),
    models: names.optional().describe("The only models that it may call"),
    allow_ips: names.default([]),
    group: text.describe("The owner's group when it is empty"),
    rate_limit: z
      .strictObject({ seconds: z.int().min(1), calls: z.int().min(0), successful_calls: z.int().min(0) })
      .optional(),
    tokens_per_minute: count,
    concurrent_calls: count,
    response_cache: z.boolean().default(false),
    model_aliases: texts.optional(),
    model_fallbacks: z.record(z.string(), names).optional(),
    fallback_causes: names.optional(),
  })
  .refine(({ budget, quota: limit }) => budget === undefined || limit === undefined, {
    message: "has a budget, so quota must be missing",
    path: ["quota"],
  })
  .describe("A token of a user. A field that is missing has its default.");
export type DeclaredToken = z.output<typeof DeclaredToken>;

export const DeclaredUser = z.strictObject({
  username: z.string().min(1).max(20),
  role: z.enum(["user", "admin", "root"]).default("user").describe("root names the existing root user"),
  group: z.string().min(1).default("default"),
  status: z.enum(["active", "banned"]).default("active"),
  display_name: z.string().max(20).optional().describe("Not managed when it is missing"),
  password: SecretReference.optional().describe("Of a new user only; a random one when it is missing"),
  tokens: z.array(DeclaredToken).default([]),
});
export type DeclaredUser = z.output<typeof DeclaredUser>;

export const DeclaredGroup = z.strictObject({
  ratio: z.number().min(0).default(1).describe("What its calls cost, as a factor"),
  description: z.string().optional().describe("Makes the group one that every user may choose"),
  topup_ratio: z.number().min(0).default(1).describe("What its users pay for quota, as a factor"),
});
export type DeclaredGroup = z.output<typeof DeclaredGroup>;

/** One file of the declared configuration. */
export const DeclaredFile = z.strictObject({
  version: z.literal(1).describe("Version of this format"),
  options: z
    .record(z.string(), z.json())
    .default({})
    .describe("Settings by key; tables and lists as YAML, secrets as references"),
  prices: z
    .record(z.string(), z.json())
    .default({})
    .describe("Price settings by key; entries of a table that the file does not name stay as they are"),
  groups: z.record(z.string().min(1), DeclaredGroup).default({}),
  channels: z.array(DeclaredChannel).default([]),
  users: z.array(DeclaredUser).default([]),
});
export type DeclaredFile = z.output<typeof DeclaredFile>;

/** The JSON schema of a file, for editors. */
export const getFileSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(DeclaredFile, { io: "input", target: "draft-7" }),
  title: "Turnpike declared configuration",
});
