import { z } from "zod";

/** The description that a backup holds of itself. */
export const Manifest = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  version: z.string(),
  collections: z.array(
    z.object({
      name: z.string(),
      count: z.number().int(),
      sha256: z.string(),
      indexes: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
});
export type Manifest = z.output<typeof Manifest>;

export const MANIFEST_FILE = "manifest.json";
export const toFileName = (collection: string): string => `${collection}.bson.gz`;
