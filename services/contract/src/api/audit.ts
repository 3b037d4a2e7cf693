import { z } from "zod/mini";
import { pageSchema, queryNumber, queryText } from "./common.ts";

/** One action of an administrator. `before` and `after` are JSON as text, without secrets, or "". */
export const AuditEntry = z.object({
  id: z.int(),
  created_at: z.int(),
  actor_id: z.int(),
  actor_name: z.string(),
  action: z.string(),
  target: z.string(),
  before: z.string(),
  after: z.string(),
  address: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Data of `GET /api/audit/` (admin); pages count from 1. */
export const AuditPage = pageSchema(AuditEntry);

/** Query of `GET /api/audit/`, besides `p` and `page_size`. */
export const AuditFilter = z.object({
  actor: queryText,
  action: queryText,
  keyword: queryText,
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
});
