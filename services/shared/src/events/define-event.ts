import { z } from "zod";

/**
 * An event that one service publishes for others: `<service>.<entity>.<past verb>.v<N>`; a breaking change is a new
 * version next to the old one.
 */
export type EventType<Data extends z.ZodType = z.ZodType> = { readonly subject: string; readonly data: Data };

export const defineEvent = <Data extends z.ZodType>(subject: string, data: Data): EventType<Data> => ({
  subject,
  data,
});

/** The wire form; field names follow CloudEvents. `id` is derived from the fact, so duplicates are recognised. */
export const Envelope = z.object({
  id: z.string(),
  type: z.string(),
  source: z.string(),
  time: z.string(),
  data: z.unknown(),
});
export type Envelope = z.infer<typeof Envelope>;
