import { z } from "zod";
import { defineEvent } from "./define-event.ts";

/** The routing table changed: fetch the snapshot again. */
export const channelChanged = defineEvent(
  "channel.channel.changed.v1",
  z.object({ revision: z.number().int(), channelId: z.number().int() }),
);

/** The system switched a channel off. */
export const channelAutoDisabled = defineEvent(
  "channel.channel.auto-disabled.v1",
  z.object({ channelId: z.number().int(), name: z.string(), reason: z.string() }),
);

/** The system switched a channel that it had switched off on again. */
export const channelAutoEnabled = defineEvent(
  "channel.channel.auto-enabled.v1",
  z.object({ channelId: z.number().int(), name: z.string() }),
);
