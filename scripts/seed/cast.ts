import { createPicker } from "./random.ts";

type SeedModel = {
  readonly name: string;
  readonly ratio: number;
  readonly completionRatio: number;
  readonly weight: number;
};
/** A channel and its share of the traffic. */
export type SeedChannel = {
  readonly id: number;
  readonly name: string;
  readonly weight: number;
  /** The models that it serves; every model where it is missing. */
  readonly models?: ReadonlySet<string>;
};
type SeedToken = { readonly id: number; readonly name: string };
/** A user with tokens, a share of the traffic, and the models they use. */
export type SeedUser = {
  readonly id: number;
  readonly username: string;
  readonly group: string;
  readonly weight: number;
  readonly tokens: readonly SeedToken[];
  readonly chooseModel: (chance: number) => SeedModel;
};

const model = (name: string, ratio: number, completionRatio: number, weight: number): SeedModel => ({
  name,
  ratio,
  completionRatio,
  weight,
});

const MODELS: readonly SeedModel[] = [
  model("gpt-4o-mini", 0.075, 4, 30),
  model("gpt-4o", 1.25, 4, 18),
  model("claude-sonnet-4-20250514", 1.5, 5, 14),
  model("gemini-2.5-flash", 0.15, 8.3, 10),
  model("deepseek-chat", 0.135, 4, 9),
  model("claude-3-5-haiku-20241022", 0.4, 5, 6),
  model("gemini-2.5-pro", 0.625, 8, 5),
  model("gpt-4.1", 1, 4, 4),
  model("o3", 1, 4, 2.5),
  model("deepseek-reasoner", 0.275, 4, 2),
  model("text-embedding-3-small", 0.01, 1, 4),
  model("qwen-plus", 0.056, 2.5, 2),
  model("gpt-4.1-nano", 0.05, 4, 2),
  model("claude-opus-4-20250514", 7.5, 5, 0.8),
  model("grok-3", 1.5, 5, 0.6),
  model("mistral-large-latest", 1, 3, 0.4),
  model("glm-4-plus", 3.57, 1, 0.3),
  model("gpt-4-turbo", 5, 3, 0.2),
  model("o1", 7.5, 4, 0.1),
  model("gpt-4-32k", 30, 2, 0.02),
];
const CHANNEL_NAMES = [
  "main",
  "backup",
  "azure-east",
  "azure-west",
  "anthropic",
  "vertex",
  "deepseek",
  "qwen",
  "pool-1",
  "pool-2",
  "trial",
  "spare",
];
const CHANNEL_WEIGHTS = [30, 12, 10, 8, 14, 9, 6, 3, 4, 3, 0.8, 0.05];
const TOKEN_NAMES = ["default", "prod", "dev", "ci", "bot", "notebook", "agent", "mobile"];
/** Ids of generated channels are far from real ids. */
const CHANNELS_FROM = 900_001;

export const SEED_CHANNELS: readonly SeedChannel[] = CHANNEL_NAMES.map((name, index) => ({
  id: CHANNELS_FROM + index,
  name,
  weight: CHANNEL_WEIGHTS[index] ?? 1,
}));
export const GROUP_RATIOS: Readonly<Record<string, number>> = { default: 1, vip: 0.8, svip: 0.6 };

const getGroup = (chance: number): string => (chance < 0.05 ? "svip" : chance < 0.2 ? "vip" : "default");

type Numbers = {
  readonly users: number;
  readonly firstUserId: number;
  readonly firstTokenId: number;
  /** Names of the first users; the others are seed<number>. */
  readonly names?: readonly string[];
};

/** Tokens of the user with this index: one to four. */
export const getTokens = (index: number): number => 1 + (index % 4);

/** Generates users: a few with most of the traffic, many with little, each with their own models. */
export function makeCast({ users, firstUserId, firstTokenId, names = [] }: Numbers, random: () => number): SeedUser[] {
  let nextTokenId = firstTokenId;
  return Array.from({ length: users }, (_, index) => {
    const tokens = Array.from({ length: getTokens(index) }, (_unused, place) => ({
      id: nextTokenId++,
      name: place === 0 ? "default" : (TOKEN_NAMES[1 + ((index + place) % (TOKEN_NAMES.length - 1))] ?? "prod"),
    }));
    const own = MODELS.filter(({ weight }) => random() < 0.25 + Math.min(0.5, weight / 30));
    return {
      id: firstUserId + index,
      username: names[index] ?? `seed${firstUserId + index}`,
      group: getGroup(random()),
      weight: 1 / (index + 4) ** 0.9,
      tokens,
      chooseModel: createPicker(own.length > 0 ? own : MODELS, ({ weight }) => weight * (0.3 + random())),
    };
  });
}
