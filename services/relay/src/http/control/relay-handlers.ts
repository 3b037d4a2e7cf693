import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RelayServiceServer } from "@turnpike/proto/relay/v1/relay_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { AccessTokens } from "../../pipeline/prepare/access-tokens.ts";
import type { UpstreamClient } from "../../upstream/upstream-client.ts";
import { createAccountQueries } from "./account-queries.ts";
import { createPriceListQuery } from "./price-list-query.ts";
import { createUsageReportQuery } from "./usage-report-query.ts";
import { createChannelTest } from "./channel-test.ts";

type Deps = {
  readonly client: UpstreamClient;
  readonly accessTokens: AccessTokens;
  readonly options: () => OptionsInForce;
  readonly now: () => number;
};

/** The requests of the channel service to a relay: a test call to an upstream, its model list, an account's balance and usage report. */
export const relayHandlers = (deps: Deps): Handlers<RelayServiceServer> => ({
  testChannel: createChannelTest(deps),
  ...createAccountQueries(deps),
  fetchPriceList: createPriceListQuery(deps.client),
  fetchUsageReport: createUsageReportQuery(deps),
});
