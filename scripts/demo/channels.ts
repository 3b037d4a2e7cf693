import type { ConsoleClient } from "../../tests/lib/console-client.ts";
import type { SeedChannel } from "../seed/cast.ts";

/** Where the scripted upstreams listen; `refusing` refuses every key. */
export type DemoUpstreams = { readonly serving: string; readonly refusing: string };

type DemoChannel = {
  readonly name: string;
  readonly type: number;
  readonly models: string;
  readonly priority: number;
  /** Share of the generated traffic. */
  readonly weight: number;
  readonly refuses?: true;
};

const OPENAI = "gpt-4o-mini,gpt-4o,gpt-4.1,gpt-4.1-nano,o3,o1,text-embedding-3-small,gpt-4-turbo,gpt-4-32k";

const CHANNELS: readonly DemoChannel[] = [
  { name: "OpenAI main", type: 1, models: OPENAI, priority: 10, weight: 30 },
  { name: "OpenAI second account", type: 1, models: OPENAI, priority: 5, weight: 12 },
  {
    name: "Anthropic",
    type: 14,
    models: "claude-sonnet-4-20250514,claude-3-5-haiku-20241022,claude-opus-4-20250514",
    priority: 10,
    weight: 21,
  },
  { name: "Gemini", type: 24, models: "gemini-2.5-flash,gemini-2.5-pro", priority: 10, weight: 15 },
  { name: "DeepSeek", type: 43, models: "deepseek-chat,deepseek-reasoner", priority: 10, weight: 11 },
  { name: "Qwen", type: 17, models: "qwen-plus", priority: 0, weight: 2 },
  { name: "Other providers", type: 20, models: "grok-3,mistral-large-latest,glm-4-plus", priority: 0, weight: 2 },
  // Without a price: the dashboard requests one.
  { name: "House models", type: 8, models: "house-large-preview", priority: 0, weight: 0.1 },
  { name: "Reseller EU", type: 1, models: "gpt-4o-mini,gpt-4o", priority: 0, weight: 0.5, refuses: true },
];

const CUSTOM_TYPE = 8;

/** Creates the channels and tests each once; returns them with their share of the traffic. */
export async function createChannels(root: ConsoleClient, upstreams: DemoUpstreams): Promise<SeedChannel[]> {
  const made: SeedChannel[] = [];
  for (const { name, weight, refuses, ...fields } of CHANNELS) {
    const upstream = refuses === true ? upstreams.refusing : upstreams.serving;
    const address = fields.type === CUSTOM_TYPE ? `${upstream}/v1/chat/completions` : upstream;
    const body = { ...fields, name, key: `sk-demo-${name.length}4f2a`, base_url: address, group: "default,vip,svip" };
    const { id } = await root.post<{ id: number }>("/api/channel/", body);
    made.push({ id, name, weight, models: new Set(fields.models.split(",")) });
    // A refusing upstream belongs to a realistic install.
    await root.call("GET", `/api/channel/test/${id}`);
  }
  return made;
}
