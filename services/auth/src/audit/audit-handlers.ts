import { ROLE } from "@turnpike/contract/limits";
import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { requireRole } from "../edge/caller.ts";
import { toPageRange } from "../edge/query.ts";
import type { AuditLog } from "./audit-log.ts";

/** The rpc over audit rows; for admins. */
export const auditHandlers = (audit: AuditLog): Pick<Handlers<AuthServiceServer>, "listAuditEntries"> => ({
  async listAuditEntries(request, context) {
    requireRole(context, ROLE.admin);
    const { items, total } = await audit.list(request, toPageRange(request));
    return {
      items: items.map(({ _id, before, after, ...row }) => ({ id: _id, beforeJson: before, afterJson: after, ...row })),
      total,
    };
  },
});
