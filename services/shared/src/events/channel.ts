import { z } from "zod";
import { defineEvent } from "./define-event.ts";

/** The routing table changed: fetch the snapshot again. */
export const channelChanged = defineEvent(
  "channel.channel.changed.v1",
  z.object({ revision: z.number().int(), channelId: z.number().int() }),
);

/** The system disabled a channel. */
export const channelAutoDisabled = defineEvent(
  "channel.channel.auto-disabled.v1",
  z.object({ channelId: z.number().int(), name: z.string(), reason: z.string() }),
);

/** A requested test of all channels has ended. */
export const channelsTested = defineEvent(
  "channel.channels.tested.v1",
  z.object({
    tested: z.number().int(),
    failed: z.number().int(),
    disabled: z.number().int(),
    enabled: z.number().int(),
  }),
);

/** The system re-enabled a channel that it had disabled. */
export const channelAutoEnabled = defineEvent(
  "channel.channel.auto-enabled.v1",
  z.object({ channelId: z.number().int(), name: z.string() }),
);
