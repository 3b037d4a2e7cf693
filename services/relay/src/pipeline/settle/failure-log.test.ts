import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { expect, it } from "vitest";
import { CallerRefusal } from "../../admission/caller-refusal.ts";
import type { Admitted } from "../../core/call/caller.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { createFailureLog } from "./failure-log.ts";

const MINUTE_MS = 60_000;
const admitted = {
  caller: {
    known: { token: { id: 9, userId: 3, name: "laptop", group: "vip" } },
    principal: { username: "ann", group: "default", showIpInLogs: false },
  },
  pinnedChannelId: undefined,
} as unknown as Admitted;
const request = { requestId: "r1", startedAtMs: 0, address: "10.0.0.1" };
const refused = { ...request, admitted, call: undefined };
const call = {
  ...request,
  admitted,
  model: "gpt-4o",
  group: "vip",
  stream: true,
  tried: [{ channel: { id: 4, name: "main", type: 1, modelMapping: {} }, key: "k" }],
  watch: {},
} as unknown as RelayCall;
const upstreamError = new RelayError("upstream_error", "quota of org-acme exceeded", {
  status: 429,
  upstream: { message: "quota of org-acme exceeded", type: "requests", code: "rate_limit", param: undefined },
});

function setUp(values: Record<string, string> = {}) {
  const rows: UsageRecord[] = [];
  let nowMs = MINUTE_MS;
  const options = optionsInForce(Object.entries(values).map(([key, value]) => ({ key, value })));
  const failures = createFailureLog({
    options: () => options,
    publisher: { add: (row) => rows.push(row) },
    now: () => nowMs,
  });
  const readDetails = (index: number) => JSON.parse(rows[index]?.other ?? "{}") as Record<string, unknown>;
  return { failures, rows, readDetails, advance: (ms: number) => (nowMs += ms) };
}

it("records a refused call with its code, status and model", () => {
  const { failures, rows } = setUp();
  const error = new RelayError("insufficient_user_quota", "the balance does not cover this call");
  failures.refused({ ...refused, call }, error);
  expect(rows).toEqual([
    expect.objectContaining({
      requestId: "r1-e0",
      type: 6,
      userId: 3,
      tokenName: "laptop",
      modelName: "gpt-4o",
      channelId: 0,
      quota: 0,
      content: "the balance does not cover this call",
      errorCode: "insufficient_user_quota",
      errorStatus: 402,
    }),
  ]);
});

it("records the refusal of a known key for its owner, and none of unknown keys", () => {
  const { failures, rows } = setUp();
  const unknown = { ...refused, admitted: undefined };
  failures.refused(unknown, new RelayError("invalid_api_key", "the API key is not valid"));
  expect(rows).toEqual([]);
  failures.refused(unknown, new CallerRefusal(admitted.caller, "token_expired", "this token has expired"));
  expect(rows).toMatchObject([{ userId: 3, errorCode: "token_expired", modelName: "" }]);
});

it("records a failed attempt once", () => {
  const { failures, rows, readDetails } = setUp();
  const own = new RelayError("invalid_request", "this channel takes no images");
  failures.attempt(call, own, false);
  failures.refused({ ...refused, call }, own);
  failures.refused({ ...refused, call }, upstreamError);
  expect(rows).toMatchObject([{ requestId: "r1-e1", channelId: 4, errorCode: "invalid_request" }]);
  failures.attempt(call, upstreamError, true);
  expect(readDetails(1)).toMatchObject({ is_retried: true, status_code: 429, error_code: "rate_limit" });
});

it("shows hidden upstream errors to administrators only", () => {
  const { failures, rows, readDetails } = setUp({ "global.hide_upstream_error_enabled": "true" });
  failures.attempt(call, upstreamError, false);
  const { admin_info: forAdministrators, ...shown } = readDetails(0);
  expect(JSON.stringify([rows[0]?.content, shown])).not.toContain("org-acme");
  expect(forAdministrators).toMatchObject({ error: "quota of org-acme exceeded" });
});

it("records nothing where the option is off", () => {
  const { failures, rows } = setUp({ LogErrorEnabled: "false" });
  failures.refused(refused, new RelayError("invalid_request", "no"));
  failures.attempt(call, upstreamError, false);
  expect(rows).toEqual([]);
});

it("records sixty failures of a user in a minute, and how many were omitted with the next one", () => {
  const { failures, rows, readDetails, advance } = setUp();
  const refuse = () => failures.refused(refused, new RelayError("rate_limit_exceeded", "too many"));
  for (let call = 0; call < 100; call++) refuse();
  expect(rows).toHaveLength(60);
  advance(MINUTE_MS);
  refuse();
  refuse();
  expect([readDetails(60)["omitted_failures"], readDetails(61)["omitted_failures"]]).toEqual([40, undefined]);
});
