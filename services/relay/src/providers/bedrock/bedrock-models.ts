/** Models whose ids do not follow the rule below. */
const IDS: Readonly<Record<string, string>> = {
  "claude-3-5-sonnet-20241022": "anthropic.claude-3-5-sonnet-20241022-v2:0",
  "claude-opus-4-6": "anthropic.claude-opus-4-6-v1",
};

const DATED = /^claude-.+-\d{8}$/;
const OWN_ID = /^(arn:|[a-z-]+\.)/;

/** Bedrock's id of a model: Anthropic's names are mapped, any other name is already an id (or an inference profile). */
function getId(model: string): string {
  const known = IDS[model];
  if (known !== undefined) return known;
  if (OWN_ID.test(model) || !model.startsWith("claude-")) return model;
  return DATED.test(model) ? `anthropic.${model}-v1:0` : `anthropic.${model}`;
}

/** Geographies whose regions share calls, by the prefix of the region's name. */
type World = "us" | "eu" | "ap";
const getWorld = (region: string): World | undefined =>
  (["us", "eu", "ap"] as const).find((world) => region.startsWith(`${world}-`));

/** Older models: the geographies in which they may be called across regions. */
const CROSS_REGION: readonly { readonly names: RegExp; readonly worlds: readonly World[] }[] = [
  { names: /^claude-3-(sonnet|haiku)-/, worlds: ["us", "eu", "ap"] },
  { names: /^claude-3-opus-/, worlds: ["us"] },
  { names: /^claude-3-5-sonnet-20240620/, worlds: ["us", "eu", "ap"] },
  { names: /^claude-3-5-sonnet-20241022/, worlds: ["us", "ap"] },
  { names: /^claude-3-5-haiku-/, worlds: ["us"] },
  { names: /^claude-(3-7-sonnet|sonnet-4)-\d{8}/, worlds: ["us", "eu", "ap"] },
  { names: /^claude-opus-4(-1)?-\d{8}/, worlds: ["us"] },
];
const OLDER = /^claude-(\d|(sonnet|opus)-4(-1)?-\d{8})/;
const PREFIX: Readonly<Record<World, string>> = { us: "us", eu: "eu", ap: "apac" };

function prefixFor(model: string, region: string): string | undefined {
  const world = getWorld(region);
  if (region.startsWith("us-gov-")) return "us-gov";
  if (!OLDER.test(model)) return world === "us" || world === "eu" ? world : "global";
  if (!world) return undefined;
  return CROSS_REGION.find(({ names }) => names.test(model))?.worlds.includes(world) ? PREFIX[world] : undefined;
}

/**
 * The URL segment of a model in a region. From 4.5 on, models are only served through inference profiles: those of the
 * region's geography, otherwise the global ones.
 */
export function bedrockId(model: string, region: string): string {
  const id = getId(model);
  if (!model.startsWith("claude-")) return id;
  const prefix = prefixFor(model, region);
  return prefix === undefined ? id : `${prefix}.${id}`;
}
