import { z } from "zod";

/** On, also as the text that compatible consoles write; any other value is off. */
const flag = z
  .union([z.boolean(), z.literal("true").transform(() => true)])
  .catch(false)
  .default(false);

/** The keys of a channel's `setting` that have an effect. A value that is not valid is as good as absent; other keys are stored and ignored. */
const ChannelSetting = z.looseObject({
  /** What becomes of the upstream's response when the client disconnects: `cancel`, or `drain`: it is read to its end. */
  on_client_disconnect: z.enum(["cancel", "drain"]).catch("cancel").default("cancel"),
  /** The http, https or socks5 address of a proxy; "" for none. */
  proxy: z.string().trim().catch("").default(""),
  /** Responses are written anew, never passed through. */
  force_format: flag,
  /** Callers that can show it get reasoning as text. */
  thinking_to_content: flag,
  /** Equal requests may get a stored response. */
  response_cache: flag,
  /** `NON_STREAM_ONLY`: the upstream does not stream. */
  stream_support: z.string().catch("").default(""),
});
export type ChannelSetting = z.infer<typeof ChannelSetting>;
export type ChannelSettingKey = keyof typeof ChannelSetting.shape;

/** The keys of `setting` that have an effect. */
export const CHANNEL_SETTING_KEYS = Object.keys(ChannelSetting.shape) as ChannelSettingKey[];

const DEFAULTS = ChannelSetting.parse({});

/** The setting of a channel from its JSON text. The text was validated when it was saved: one that is no object has the defaults. */
export function readChannelSetting(text: string): ChannelSetting {
  if (text.trim() === "") return DEFAULTS;
  try {
    return ChannelSetting.parse(JSON.parse(text));
  } catch {
    return DEFAULTS;
  }
}
