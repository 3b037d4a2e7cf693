import { NameList } from "@turnpike/contract/api/user";
import { ModelsByChannelType } from "@turnpike/contract/api/channels/channel";
import { AuditFilter, type AuditEntry, AuditPage } from "@turnpike/contract/api/audit";
import { pageQuery, successSchema } from "@turnpike/contract/api/common";
import { GroupMoveBody, GroupMoveResult } from "@turnpike/contract/api/group";
import { DEFAULT_MODELS_BY_TYPE } from "@turnpike/contract/api/models/default-models";
import type { AuditEntry as StoredEntry } from "@turnpike/proto/auth/v1/auth_service";
import { Router } from "express";
import { ok, okPage } from "../http/api-response.ts";
import { moveGroup, readGroups } from "../site/groups.ts";
import type { RoutesDeps } from "./routes-deps.ts";
import { z } from "zod/mini";

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

/** For each call of a step; a large group is moved in many. */
const MOVE_TIMEOUT_MS = 10_000;

const SPECS = {
  listGroups: { access: "admin", summary: "List the names of all groups", returns: successSchema(NameList) },
  moveGroup: {
    access: "admin",
    summary: "Move users, tokens and channels to another group, one step at a time",
    returns: successSchema(GroupMoveResult),
    body: GroupMoveBody,
  },
  listDefaultModels: {
    access: "user",
    summary: "List the default models of each channel type",
    returns: successSchema(ModelsByChannelType),
  },
  listAuditEntries: {
    access: "admin",
    summary: "List audited actions of administrators",
    returns: successSchema(AuditPage),
    query: z.intersection(AuditFilter, pageQuery(1)),
  },
} as const;

/** Small administrative calls that belong to no larger area. Mounted at /api. */
export function adminRoutes({ services, route }: RoutesDeps): Router {
  const { auth } = services;
  return Router()
    .get(
      "/group",
      route(SPECS.listGroups, async (_, { call }) => ok([...(await readGroups(services, call))])),
    )
    .post(
      "/group/move",
      route(SPECS.moveGroup, async ({ body }, { call }) =>
        ok(await moveGroup(services, body, { ...call, timeoutMs: MOVE_TIMEOUT_MS })),
      ),
    )
    .get(
      "/models",
      route(SPECS.listDefaultModels, () => ok(DEFAULT_MODELS_BY_TYPE)),
    )
    .get(
      "/audit",
      route(SPECS.listAuditEntries, async ({ query }, { call }) => {
        const { page, pageSize, actor, action, keyword, start_timestamp, end_timestamp } = query;
        const filter = {
          page,
          pageSize,
          actor,
          action,
          keyword,
          startSeconds: start_timestamp,
          endSeconds: end_timestamp,
        };
        const found = await auth.listAuditEntries(filter, call);
        return okPage(query, { items: found.items.map(toAuditEntry), total: found.total });
      }),
    );
}
