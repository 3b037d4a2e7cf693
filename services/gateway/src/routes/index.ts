import { Router } from "express";
import { adminRoutes } from "./admin-routes.ts";
import { channelRoutes } from "./channels/channel-routes.ts";
import { dataRoutes } from "./data-routes.ts";
import { declaredRoutes } from "./declared-routes.ts";
import { ledgerRoutes } from "./billing/ledger-routes.ts";
import { logReportRoutes } from "./log-report-routes.ts";
import { logRoutes } from "./log-routes.ts";
import { inboxRoutes, messageRoutes } from "./message-routes.ts";
import { modelMappingRoutes } from "./channels/model-mapping-routes.ts";
import { notifyRoutes } from "./notify-routes.ts";
import { priceRoutes } from "./billing/price-routes.ts";
import { optionLookupRoutes } from "./option-lookup-routes.ts";
import { openApiRoutes } from "./openapi-routes.ts";
import { optionRoutes } from "./option-routes.ts";
import { oauthRoutes } from "./account/oauth-routes.ts";
import { orderRoutes } from "./billing/order-routes.ts";
import { paymentRoutes } from "./billing/payment-routes.ts";
import { redemptionRoutes } from "./billing/redemption-routes.ts";
import { registrationRoutes } from "./account/registration-routes.ts";
import type { RoutesDeps } from "./routes-deps.ts";
import { securityRoutes } from "./account/security-routes.ts";
import { selfRoutes } from "./account/self-routes.ts";
import { rewardRoutes } from "./billing/reward-routes.ts";
import { sessionRoutes } from "./account/session-routes.ts";
import { statementRoutes } from "./billing/statement-routes.ts";
import { siteRoutes } from "./site-routes.ts";
import { imageTaskRoutes, taskRoutes } from "./task-routes.ts";
import { tokenRoutes } from "./token-routes.ts";
import { userRoutes } from "./user-routes.ts";

/** Routers and the path below /api that they are mounted at. */
export type Area = readonly [path: string, ...routers: Router[]];

/** All routes of /api. Routes with a fixed word are registered before `/:id` of the same area. */
export const apiAreas = (deps: RoutesDeps): readonly Area[] => [
  ["/", openApiRoutes(deps), siteRoutes(deps), adminRoutes(deps), notifyRoutes(deps), registrationRoutes(deps)],
  ["/oauth", oauthRoutes(deps)],
  ["/user/messages", inboxRoutes(deps)],
  [
    "/user",
    sessionRoutes(deps),
    securityRoutes(deps),
    selfRoutes(deps),
    rewardRoutes(deps),
    paymentRoutes(deps),
    orderRoutes(deps).own,
    statementRoutes(deps),
    userRoutes(deps),
  ],
  ["/channel", channelRoutes(deps)],
  ["/model_mapping", modelMappingRoutes(deps)],
  ["/token", tokenRoutes(deps)],
  ["/redemption", redemptionRoutes(deps)],
  ["/log", logReportRoutes(deps), logRoutes(deps)],
  ["/data", dataRoutes(deps)],
  ["/declared", declaredRoutes(deps)],
  ["/ledger", ledgerRoutes(deps)],
  ["/mj", imageTaskRoutes(deps)],
  ["/task", taskRoutes(deps)],
  ["/order", orderRoutes(deps).all],
  ["/option", priceRoutes(deps), optionLookupRoutes(deps), optionRoutes(deps)],
  ["/admin/messages", messageRoutes(deps)],
];

/** The areas as one router. */
export const apiRoutes = (deps: RoutesDeps): Router =>
  apiAreas(deps).reduce((router, [path, ...routers]) => router.use(path, ...routers), Router());
