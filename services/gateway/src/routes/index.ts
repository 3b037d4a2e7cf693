import { Router } from "express";
import { adminRoutes } from "./admin-routes.ts";
import { channelRoutes } from "./channel-routes.ts";
import { dataRoutes } from "./data-routes.ts";
import { ledgerRoutes } from "./ledger-routes.ts";
import { logReportRoutes } from "./log-report-routes.ts";
import { logRoutes } from "./log-routes.ts";
import { inboxRoutes, messageRoutes } from "./message-routes.ts";
import { notifyRoutes } from "./notify-routes.ts";
import { priceRoutes } from "./price-routes.ts";
import { optionRoutes } from "./option-routes.ts";
import { oauthRoutes } from "./oauth-routes.ts";
import { orderRoutes } from "./order-routes.ts";
import { paymentRoutes } from "./payment-routes.ts";
import { redemptionRoutes } from "./redemption-routes.ts";
import { registrationRoutes } from "./registration-routes.ts";
import type { RoutesDeps } from "./routes-deps.ts";
import { securityRoutes } from "./security-routes.ts";
import { selfRoutes } from "./self-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { statementRoutes } from "./statement-routes.ts";
import { siteRoutes } from "./site-routes.ts";
import { drawingRoutes, taskRoutes } from "./task-routes.ts";
import { tokenRoutes } from "./token-routes.ts";
import { userRoutes } from "./user-routes.ts";

/** Every call of /api. Words come before `/:id` of the same area. */
export const apiRoutes = (deps: RoutesDeps): Router =>
  Router()
    .use("/", siteRoutes(deps), adminRoutes(deps), notifyRoutes(deps), registrationRoutes(deps))
    .use("/oauth", oauthRoutes(deps))
    .use("/user/messages", inboxRoutes(deps))
    .use(
      "/user",
      sessionRoutes(deps),
      securityRoutes(deps),
      selfRoutes(deps),
      paymentRoutes(deps),
      orderRoutes(deps).own,
      statementRoutes(deps),
      userRoutes(deps),
    )
    .use("/channel", channelRoutes(deps))
    .use("/token", tokenRoutes(deps))
    .use("/redemption", redemptionRoutes(deps))
    .use("/log", logReportRoutes(deps), logRoutes(deps))
    .use("/data", dataRoutes(deps))
    .use("/ledger", ledgerRoutes(deps))
    .use("/mj", drawingRoutes(deps))
    .use("/task", taskRoutes(deps))
    .use("/order", orderRoutes(deps).all)
    .use("/option", priceRoutes(deps), optionRoutes(deps))
    .use("/admin/messages", messageRoutes(deps));
