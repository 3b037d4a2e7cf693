import { z } from "zod";

/**
 * An event of one service for others: `<service>.<entity>.<past verb>.v<N>`; a breaking change is a new version beside
 * the old.
 */
export type EventType<Data extends z.ZodType = z.ZodType> = { readonly subject: string; readonly data: Data };

export const defineEvent = <Data extends z.ZodType>(subject: string, data: Data): EventType<Data> => ({
  subject,
  data,
});

/** What travels on the wire; field names follow CloudEvents. `id` is made from the fact, so a repeat can be told. */
export const Envelope = z.object({
  id: z.string(),
  type: z.string(),
  source: z.string(),
  time: z.string(),
  data: z.unknown(),
});
export type Envelope = z.infer<typeof Envelope>;
