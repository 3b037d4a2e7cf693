import { useQuery } from "@tanstack/react-query";
import { CHANNEL_STATUS, LOG_TYPE, TOKEN_STATUS } from "@turnpike/contract/codes";
import { useIsAdmin } from "../../lib/session/session.ts";
import { channelsQuery } from "../../domain/channels/channels-api.ts";
import { logsQuery } from "../../domain/logs/logs-api.ts";
import { pricingQuery } from "../../domain/models/pricing-api.ts";
import { tokensQuery, userModelsQuery } from "../../domain/tokens/tokens-api.ts";

const FIRST_CALL_POLL_MS = 3_000;
const STEP_LIST_SIZE = 20;

/** A user's progress to their first call. `undefined` until it is loaded. */
export type FirstSteps = {
  readonly hasChannel: boolean | undefined;
  readonly hasPrices: boolean | undefined;
  readonly hasToken: boolean | undefined;
  readonly hasCall: boolean | undefined;
  /** A usable key, without sk-; undefined when none may be shown. */
  readonly key: string | undefined;
  readonly model: string | undefined;
};

/** Tracks the first steps; while only the first call is missing, it polls every few seconds. */
export function useFirstSteps(): FirstSteps {
  const admin = useIsAdmin();
  const calls = useQuery({
    ...logsQuery({ page: 1, pageSize: 1, all: admin }, { type: LOG_TYPE.consume }),
    refetchInterval: ({ state }) => (state.data && state.data.total > 0 ? false : FIRST_CALL_POLL_MS),
  });
  const hasCall = calls.data && calls.data.total > 0;
  const pending = hasCall === false;
  const channels = useQuery({ ...channelsQuery({ page: 1, pageSize: STEP_LIST_SIZE }), enabled: pending && admin });
  const pricing = useQuery({ ...pricingQuery, enabled: pending });
  const tokens = useQuery({ ...tokensQuery({ page: 1, pageSize: STEP_LIST_SIZE }), enabled: pending });
  const models = useQuery({ ...userModelsQuery, enabled: pending });
  const usable = tokens.data?.items.filter(({ status }) => status === TOKEN_STATUS.enabled);
  const priced = pricing.data?.data.filter(({ is_set }) => is_set).map(({ model_name }) => model_name);
  return {
    hasChannel: channels.data?.items.some(({ status }) => status === CHANNEL_STATUS.enabled),
    hasPrices: priced && priced.length > 0,
    hasToken: usable && usable.length > 0,
    hasCall,
    key: usable?.find(({ key }) => key !== "")?.key,
    model: models.data?.find((model) => priced?.includes(model)) ?? models.data?.[0],
  };
}
