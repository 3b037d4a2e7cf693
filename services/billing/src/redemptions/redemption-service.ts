import { randomUUID } from "node:crypto";
import { REDEMPTION_STATUS } from "@turnpike/contract/api/redemption";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type {
  CreateRedemptionsRequest,
  ListRedemptionsRequest,
  UpdateRedemptionRequest,
} from "@turnpike/proto/billing/v1/redemption_service";
import type { Actor } from "@turnpike/shared/grpc/context";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import { formatQuota } from "../accounts/log-amounts.ts";
import type { RecordAudit } from "@turnpike/shared/audit/audit-recorder";
import { toPageRange } from "../store/query.ts";
import type { RedemptionDoc } from "../store/payment-documents.ts";
import { readCount, readCustomKey, readDetails, readMaxUses, readStatus } from "./redemption-form.ts";
import type { NewRedemption, RedemptionStore } from "./redemption-store.ts";

type Deps = {
  readonly connection: Connection;
  readonly store: RedemptionStore;
  readonly audit: RecordAudit;
  readonly options: () => OptionsInForce;
  readonly nowSeconds: () => number;
};

export type RedemptionService = ReturnType<typeof createRedemptionService>;

const newKey = (): string => randomUUID().replaceAll("-", "");

/** The audit entry of a code; excludes the code itself. */
const toAuditFields = ({ name, quota, status, validFrom, validUntil }: RedemptionDoc): Record<string, unknown> => ({
  name,
  quota,
  status,
  valid_from: validFrom,
  valid_until: validUntil,
});

/** Creation and management of codes. */
export function createRedemptionService(deps: Deps) {
  const { store, audit } = deps;
  const formatAmount = (quota: number): string => formatQuota(quota, deps.options()).replace(" 额度", "");

  return {
    /** Creates codes, all or none, and returns their keys. */
    async create(actor: Actor, request: CreateRedemptionsRequest): Promise<string[]> {
      const facts = readDetails(request, formatAmount);
      const customKey = readCustomKey(request.key);
      const codes = Array.from({ length: readCount(request) }, (): NewRedemption => ({
        ...facts,
        key: customKey === "" ? newKey() : customKey,
        status: REDEMPTION_STATUS.unused,
        createdAt: deps.nowSeconds(),
        redeemedAt: 0,
        usedUserId: 0,
        isGift: request.isGift,
        maxUses: readMaxUses(request),
        usedCount: 0,
      }));
      const firstId = await store.takeIds(codes.length);
      await inTransaction(deps.connection, (session) => store.insert(codes, session, firstId));
      const after = { ...facts, count: codes.length, is_gift: request.isGift };
      await audit(actor, { action: "redemption.create", target: `redemption:${firstId}`, after });
      return codes.map(({ key }) => key);
    },
    list: (request: ListRedemptionsRequest): Promise<{ items: RedemptionDoc[]; total: number }> =>
      store.list(request.keyword.trim(), request.id, toPageRange(request, 0)),
    /** Edits, enables or disables a code; throws redemption_used once it is used. */
    async update(actor: Actor, request: UpdateRedemptionRequest): Promise<RedemptionDoc> {
      const { id, statusOnly } = request;
      const set = statusOnly === undefined ? readDetails(request, formatAmount) : { status: readStatus(statusOnly) };
      const { before, after } = await store.update(id, set);
      const target = `redemption:${id}`;
      await audit(actor, {
        action: "redemption.update",
        target,
        before: toAuditFields(before),
        after: toAuditFields(after),
      });
      return after;
    },
    async remove(actor: Actor, id: number): Promise<void> {
      const code = await store.remove(id);
      await audit(actor, { action: "redemption.delete", target: `redemption:${id}`, before: toAuditFields(code) });
    },
  };
}
