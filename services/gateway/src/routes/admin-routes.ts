import { AuditFilter, type AuditEntry } from "@turnpike/contract/api/audit";
import { pageQuery } from "@turnpike/contract/api/common";
import { DEFAULT_MODELS_BY_TYPE } from "@turnpike/contract/api/default-models";
import type { AuditEntry as StoredEntry } from "@turnpike/proto/auth/v1/auth_service";
import { Router } from "express";
import { ok, okPage } from "../http/api-response.ts";
import { readPriceOptions } from "../site/price-options.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const toAuditEntry = (entry: StoredEntry): AuditEntry => ({
  id: entry.id,
  created_at: entry.createdAtSeconds,
  actor_id: entry.actorId,
  actor_name: entry.actorName,
  action: entry.action,
  target: entry.target,
  before: entry.beforeJson,
  after: entry.afterJson,
  address: entry.address,
});

/** Small calls that belong to no larger area. Mounted at /api. */
export function adminRoutes({ services, route }: RoutesDeps): Router {
  const { auth } = services;
  return Router()
    .get(
      "/group",
      route({ access: "admin" }, async (_, { call }) => {
        const ratios = (await readPriceOptions(services, call)).get("GroupRatio") ?? "{}";
        return ok(Object.keys(JSON.parse(ratios) as object));
      }),
    )
    .get(
      "/models",
      route({ access: "user" }, () => ok(DEFAULT_MODELS_BY_TYPE)),
    )
    .get(
      "/audit",
      route({ access: "admin", query: AuditFilter.and(pageQuery(1)) }, async ({ query }, { call }) => {
        const { page, pageSize, actor, action, keyword, start_timestamp, end_timestamp } = query;
        const asked = {
          page,
          pageSize,
          actor,
          action,
          keyword,
          startSeconds: start_timestamp,
          endSeconds: end_timestamp,
        };
        const found = await auth.listAuditEntries(asked, call);
        return okPage(query, { items: found.items.map(toAuditEntry), total: found.total });
      }),
    );
}
