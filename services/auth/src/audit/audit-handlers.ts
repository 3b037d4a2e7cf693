import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { toPageRange } from "@turnpike/shared/mongo/query";
import type { AuditLog } from "./audit-log.ts";

/** The rpc over audit rows; for admins. */
export const auditHandlers = (audit: AuditLog): Pick<Handlers<AuthServiceServer>, "listAuditEntries"> => ({
  async listAuditEntries(request, context) {
    requireAdmin(context);
    const { items, total } = await audit.list(request, toPageRange(request, 1));
    return {
      items: items.map(({ _id, before, after, ...row }) => ({ id: _id, beforeJson: before, afterJson: after, ...row })),
      total,
    };
  },
});
