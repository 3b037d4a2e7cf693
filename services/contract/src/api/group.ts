import { z } from "zod/mini";

const groupName = z.string().check(z.trim(), z.minLength(1), z.maxLength(64));

/** Body of `POST /api/group/move` (administrators): the group to empty, and the one that its users, tokens and channels get. */
export const GroupMoveBody = z.object({ from: groupName, to: groupName });
export type GroupMoveBody = z.input<typeof GroupMoveBody>;

/** Data of `POST /api/group/move`: what this step moved, and how many are left. Repeated until none are. */
export const GroupMoveResult = z.object({
  users: z.int(),
  tokens: z.int(),
  channels: z.int(),
  left: z.int(),
});
export type GroupMoveResult = z.infer<typeof GroupMoveResult>;
