import type { RoutingChannel } from "@turnpike/proto/channel/v1/channel_service";
import { ChannelChooser } from "./channel-chooser.ts";
import { createChannelBreakers } from "./channel-breakers.ts";
import { createRoutingTable } from "./routing-table.ts";

type Fields = {
  id: number;
  models?: string;
  group?: string;
  priority?: number;
  weight?: number;
  keys?: string[];
  prefix?: string;
  mapping?: string;
};

/** A channel as the channel service reports it. */
export function channel(fields: Fields): RoutingChannel {
  return {
    keys: fields.keys ?? ["key"],
    channel: {
      id: fields.id,
      name: `channel ${fields.id}`,
      type: 1,
      keyHint: "",
      keyCount: 1,
      openaiOrganization: "",
      maxInputTokens: 0,
      baseUrl: "http://upstream/",
      other: "",
      modelMapping: fields.mapping ?? "",
      statusCodeMapping: "",
      models: fields.models ?? "gpt-4o",
      group: fields.group ?? "default",
      autoBan: 1,
      testModel: "",
      priority: fields.priority ?? 0,
      weight: fields.weight ?? 0,
      tag: "",
      modelPrefix: fields.prefix ?? "",
      setting: "",
      paramOverride: "",
      cost: "",
      status: 1,
      responseTime: 0,
      balance: 0,
      expiredTime: 0,
      otherInfo: "",
      createdTime: 0,
      testTime: 0,
      testError: "",
      balanceUpdatedTime: 0,
      health: undefined,
    },
  };
}

/** A chooser of these channels with a clock of its own, which `pass` advances. */
export function chooserFor(channels: RoutingChannel[], random = 0.5) {
  let nowMs = 1_000_000;
  const health = createChannelBreakers(() => nowMs);
  const chooser = new ChannelChooser({ health, random: () => random });
  const tiers = createRoutingTable(channels).tiers("default", "gpt-4o");
  return { health, chooser, tiers, pass: (ms: number) => (nowMs += ms) };
}
