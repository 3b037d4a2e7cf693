import { NameList } from "@turnpike/contract/api/user";
import { IdParams, pageQuery, Count, Done, successSchema } from "@turnpike/contract/api/common";
import {
  RedemptionCreateBody,
  RedemptionFilter,
  RedemptionIdsBody,
  RedemptionNameQuery,
  RedemptionStatusBody,
  RedemptionUpdateBody,
  Redemption,
  RedemptionPage,
} from "@turnpike/contract/api/redemption";
import type { UpdateRedemptionRequest } from "@turnpike/proto/billing/v1/redemption_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok, okPage } from "../../http/api-response.ts";
import type { RouteContext } from "../../http/route-spec.ts";
import { chooseByStatusOnly } from "../../http/status-only.ts";
import { requireField } from "../../presenters/required-field.ts";
import { toRedemption } from "../../presenters/billing/redemption.ts";
import type { RoutesDeps } from "../routes-deps.ts";
import { z } from "zod/mini";

const BULK_TIMEOUT_MS = 15_000;

const StatusForm = z.pipe(
  RedemptionStatusBody,
  z.transform(({ id, status }): UpdateRedemptionRequest => ({
    id,
    statusOnly: status,
    name: "",
    quota: 0,
    validFrom: 0,
    validUntil: 0,
  })),
);
const WholeForm = z.pipe(
  RedemptionUpdateBody,
  z.transform(({ id, name, quota, valid_from, valid_until }): UpdateRedemptionRequest => ({
    id,
    statusOnly: undefined,
    name,
    quota,
    validFrom: valid_from,
    validUntil: valid_until,
  })),
);

const SPECS = {
  disableCodes: { access: "admin", summary: "Disable codes", returns: Count, body: RedemptionIdsBody },
  deleteDisabled: { access: "admin", summary: "Delete all disabled codes", returns: Count },
  countByName: { access: "admin", summary: "Count the codes of a name", returns: Count, query: RedemptionNameQuery },
  deleteByName: {
    access: "admin",
    summary: "Delete the codes of a name",
    returns: Count,
    query: RedemptionNameQuery,
  },
  listCodes: {
    access: "admin",
    summary: "List codes",
    returns: successSchema(RedemptionPage),
    query: z.intersection(RedemptionFilter, pageQuery(0)),
  },
  readCode: { access: "admin", summary: "Read a code", returns: successSchema(Redemption), params: IdParams },
  createCodes: {
    access: "admin",
    summary: "Create codes and return their keys",
    returns: successSchema(NameList),
    body: RedemptionCreateBody,
  },
  changeCodeStatus: { access: "admin", summary: "Change a code", returns: successSchema(Redemption), body: StatusForm },
  changeCode: { access: "admin", summary: "Change a code", returns: successSchema(Redemption), body: WholeForm },
  deleteCode: { access: "admin", summary: "Delete a code", returns: Done, params: IdParams },
} as const;

/** Calls over many codes at once; each returns the number of changed codes. */
const bulkRoutes = ({ services: { redemptions }, route }: RoutesDeps): Router =>
  Router()
    .put(
      "/batch-disable",
      route(SPECS.disableCodes, async ({ body }, { call }) =>
        ok((await redemptions.disableRedemptions(body, call)).count),
      ),
    )
    .delete(
      "/delete-disabled",
      route(SPECS.deleteDisabled, async (_, { call }) =>
        ok((await redemptions.deleteDisabledRedemptions({}, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
      ),
    )
    .get(
      "/count-by-name",
      route(SPECS.countByName, async ({ query }, { call }) =>
        ok((await redemptions.countRedemptionsByName(query, call)).count),
      ),
    )
    .delete(
      "/delete-by-name",
      route(SPECS.deleteByName, async ({ query }, { call }) =>
        ok((await redemptions.deleteRedemptionsByName(query, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
      ),
    );

/** Redemption and gift codes. Mounted at /api/redemption. */
export function redemptionRoutes(deps: RoutesDeps): Router {
  const { services, route } = deps;
  const { redemptions } = services;
  const list = route(SPECS.listCodes, async ({ query }, { call }) => {
    const found = await redemptions.listRedemptions({ ...query, id: 0 }, call);
    return okPage(query, { items: found.items.map(toRedemption), total: found.total });
  });
  const update = async (change: UpdateRedemptionRequest, { call }: RouteContext<"admin">) =>
    ok(toRedemption(requireField((await redemptions.updateRedemption(change, call)).redemption, "code")));
  return Router()
    .use("/", bulkRoutes(deps))
    .get("/", list)
    .get("/search", list)
    .get(
      "/:id",
      route(SPECS.readCode, async ({ params }, { call }) => {
        const found = await redemptions.listRedemptions({ page: 0, pageSize: 1, keyword: "", id: params.id }, call);
        const [code] = found.items;
        if (!code) throw new AppError("redemption_not_found", `no code ${params.id}`);
        return ok(toRedemption(code));
      }),
    )
    .post(
      "/",
      route(SPECS.createCodes, async ({ body }, { call }) => {
        const { name, quota, count, key, is_gift, max_uses, valid_from, valid_until } = body;
        const { keys } = await redemptions.createRedemptions(
          {
            name,
            quota,
            count,
            key,
            isGift: is_gift,
            maxUses: max_uses,
            validFrom: valid_from,
            validUntil: valid_until,
          },
          { ...call, timeoutMs: 15_000 },
        );
        return ok(keys);
      }),
    )
    .put(
      "/",
      chooseByStatusOnly({
        statusOnly: route(SPECS.changeCodeStatus, ({ body }, context) => update(body, context)),
        whole: route(SPECS.changeCode, ({ body }, context) => update(body, context)),
      }),
    )
    .delete(
      "/:id",
      route(SPECS.deleteCode, async ({ params }, { call }) => {
        await redemptions.deleteRedemption(params, call);
        return ok();
      }),
    );
}
