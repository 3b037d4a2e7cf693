import { IdParams, successSchema } from "@turnpike/contract/api/common";
import {
  ChannelReport,
  ReportCheckBody,
  ReportDay,
  ReportKeyBody,
} from "@turnpike/contract/api/channels/provider-report";
import { Router } from "express";
import { z } from "zod/mini";
import { ok } from "../../http/api-response.ts";
import { toReportDay } from "../../presenters/billing/provider-report.ts";
import { requireField } from "../../presenters/required-field.ts";
import type { RoutesDeps } from "../routes-deps.ts";

/** Two reports of a provider, page by page, and the rows of a day. */
const CHECK_TIMEOUT_MS = 170_000;

const SPECS = {
  readReport: {
    access: "admin",
    summary: "Read a channel's compared provider reports",
    returns: successSchema(ChannelReport),
    params: IdParams,
  },
  setReportKey: {
    access: "admin",
    summary: "Set or remove a channel's report key",
    returns: successSchema(z.string()),
    params: IdParams,
    body: ReportKeyBody,
  },
  checkReport: {
    access: "admin",
    summary: "Compare a day of a channel's provider report now",
    returns: successSchema(ReportDay),
    params: IdParams,
    body: ReportCheckBody,
  },
} as const;

/** What a channel's provider reports, compared with the log. Mounted at /api/channel. */
export function channelReportRoutes({ services, route }: RoutesDeps): Router {
  const { channelReports, providerReports } = services;
  return Router()
    .get(
      "/:id/report",
      route(SPECS.readReport, async ({ params }, { call }) => {
        const { name, isSupported, hint, channelIds } = await channelReports.getReportAccount(params, call);
        const ids = channelIds.length > 0 ? [...channelIds] : [params.id];
        const { days } = await providerReports.listReportDays({ channelIds: ids }, call);
        return ok({
          name,
          is_supported: isSupported,
          key_hint: hint,
          channel_ids: [...channelIds],
          days: days.map(toReportDay),
        });
      }),
    )
    .put(
      "/:id/report_key",
      route(SPECS.setReportKey, async ({ params, body }, { call }) =>
        ok((await channelReports.setReportKey({ id: params.id, key: body.key }, call)).hint),
      ),
    )
    .post(
      "/:id/report",
      route(SPECS.checkReport, async ({ params, body }, { call }) => {
        // The days of an account are kept with its oldest channel.
        const { channelIds } = await channelReports.getReportAccount(params, call);
        const { day } = await providerReports.checkReportDay(
          { channelId: channelIds[0] ?? params.id, daySeconds: body.day },
          { ...call, timeoutMs: CHECK_TIMEOUT_MS },
        );
        return ok(toReportDay(requireField(day, "day")));
      }),
    );
}
