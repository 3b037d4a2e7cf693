import { z } from "zod";

/** One setting: its key and its value as text. */
export const OptionRow = z.object({ key: z.string(), value: z.string() });
export type OptionRow = z.infer<typeof OptionRow>;

/** Data of `GET /api/option/`; secrets are left out. */
export const OptionList = z.array(OptionRow);

/** Body of `PUT /api/option/`. Numbers and booleans are read as their text. */
export const OptionBody = z.object({
  key: z.string().min(1),
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
});
