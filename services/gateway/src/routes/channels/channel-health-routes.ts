import { Channel } from "@turnpike/contract/api/channels/channel";
import { ChannelTestQuery, ChannelTestResult } from "@turnpike/contract/api/channels/channel-runs";
import { ChannelHealthDetail, ChannelHours, ChannelHoursQuery } from "@turnpike/contract/api/channels/channel-health";
import { IdParams, successSchema } from "@turnpike/contract/api/common";
import { Router } from "express";
import { ok } from "../../http/api-response.ts";
import { toChannelHours } from "../../presenters/channel-hours.ts";
import { joinTotals, toHealthDetail } from "../../presenters/channel.ts";
import { readFailingChannels } from "../../presenters/failing-channels.ts";
import { requireField } from "../../presenters/required-field.ts";
import type { RoutesDeps } from "../routes-deps.ts";
import { z } from "zod/mini";

/** A test is a real call to an upstream that may be slow. */
const TEST_TIMEOUT_MS = 65_000;

const SPECS = {
  testChannel: {
    access: "admin",
    summary: "Test a channel with a call",
    returns: ChannelTestResult,
    params: IdParams,
    query: ChannelTestQuery,
    changesState: true,
  },
  readHealth: {
    access: "admin",
    summary: "Read the health of a channel and its keys",
    returns: successSchema(ChannelHealthDetail),
    params: IdParams,
  },
  listHours: {
    access: "admin",
    summary: "List the calls, errors and latencies of channels in the last 24 hours",
    returns: successSchema(z.array(ChannelHours)),
    query: ChannelHoursQuery,
  },
  listFailing: {
    access: "admin",
    summary: "List channels that the system disabled or skips, that fail often, or whose last test failed",
    returns: successSchema(z.array(Channel)),
  },
} as const;

/** The health of a channel, as measured and by a test call. */
export function channelHealthRoutes({ services, route }: RoutesDeps): Router {
  const { channels, channelHealth, reports } = services;
  return Router()
    .get(
      "/test/:id",
      route(SPECS.testChannel, async ({ params, query }, { call }) => {
        const outcome = await channels.testChannel(
          { id: params.id, model: query.model },
          { ...call, timeoutMs: TEST_TIMEOUT_MS },
        );
        return { body: { success: outcome.success, message: outcome.message, time: outcome.timeSeconds } };
      }),
    )
    .get(
      "/failing",
      route(SPECS.listFailing, async (_, { call, facts }) => {
        const failing = await readFailingChannels(services, call);
        return ok(await joinTotals(services, failing, { call, log: facts.log }));
      }),
    )
    .get(
      "/hours",
      route(SPECS.listHours, async ({ query }, { call }) => {
        const keys = [...new Set(query.ids.split(",").map((id) => String(Number(id))))];
        return ok(toChannelHours(keys, await reports.listPartHours({ by: "channel", hours: 24, keys }, call)));
      }),
    )
    .get(
      "/:id/health",
      route(SPECS.readHealth, async ({ params }, { call }) => {
        const [{ channel }, { keys }] = await Promise.all([
          channels.findChannel(params, call),
          channelHealth.listKeys(params, call),
        ]);
        return ok(toHealthDetail(requireField(channel, "channel").health, keys));
      }),
    );
}
