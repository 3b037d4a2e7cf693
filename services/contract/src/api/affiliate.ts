import { z } from "zod/mini";
import { integer } from "./common.ts";

/** Data of `GET /api/user/aff`: the invitation code. */
export const AffCode = z.string();

/** Body of `POST /api/user/aff_transfer`: quota units to move from the earnings to the balance. */
export const AffTransferBody = z.object({ quota: integer });
export type AffTransferBody = z.input<typeof AffTransferBody>;

/** Data of `POST /api/user/aff_transfer`: the moved amount, and the earnings left. */
export const AffTransferResult = z.object({ quota: z.int(), aff_quota: z.int() });
export type AffTransferResult = z.infer<typeof AffTransferResult>;
