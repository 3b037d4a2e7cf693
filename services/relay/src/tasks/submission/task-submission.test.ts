import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { Channel } from "@turnpike/proto/channel/v1/channel_service";
import { expect, it } from "vitest";
import type { Settlement } from "../../accounting/holds/account-requests.ts";
import { createRoutingTable } from "../../routing/routing-table.ts";
import type { TaskCall } from "../accounting/task-call.ts";
import { createTaskMeters } from "../accounting/task-meter.ts";
import { createSubmitTask } from "./task-submission.ts";

const channel = Channel.fromPartial({ id: 1, type: 2, models: "mj_imagine", group: "default" });
const table = createRoutingTable([{ channel, keys: ["key"] }]);
const first = { channel: table.byId(1), key: "key" };
const options = () => optionsInForce([]);

/** Submits a task whose platform fails unexpectedly at one step; returns what was settled and recorded. */
async function submitFailing(step: "open" | "headers" | "confirm") {
  const settled: Pick<Settlement, "amount" | "keep">[] = [];
  const confirmed: unknown[] = [];
  const fail = (at: typeof step): void => {
    if (at === step) throw new TypeError("an internal failure");
  };
  const accounts = { settle: ({ amount, keep }: Settlement) => void settled.push({ amount, keep }) };
  const publisher = { hasRoom: () => true, add: () => undefined };
  const meters = { options, accounts, publisher, placeHold: async () => true, now: () => 0, log: {} };
  const submit = createSubmitTask({
    table: () => table,
    options,
    chooser: { choose: () => first },
    client: {
      send: (
        _request: unknown,
        sink: { head: (status: number, headers: object) => void; data: (bytes: Buffer) => void; end: () => void },
      ) => {
        queueMicrotask(() => {
          sink.head(200, {});
          sink.data(Buffer.from("{}"));
          sink.end();
        });
        return { abort: () => undefined, isSent: () => true };
      },
    },
    openMeter: createTaskMeters(meters as unknown as Parameters<typeof createTaskMeters>[0]),
    observer: { started: () => undefined, abandoned: () => undefined, responded: () => undefined },
    records: {
      open: async () => {
        fail("open");
        return 9;
      },
      confirm: async ({ state }: { state: { status: string } }) => {
        confirmed.push(state.status);
        if (state.status !== "FAILURE") fail("confirm");
      },
    },
    failures: { refused: () => undefined },
    hash: (key: string) => key,
    seal: (key: string) => key,
    opened: () => undefined,
    now: () => 0,
  } as unknown as Parameters<typeof createSubmitTask>[0]);
  const call = {
    requestId: "call",
    model: "mj_imagine",
    group: "default",
    action: "IMAGINE",
    path: "/mj",
    body: {},
    prompt: "",
    tried: [],
    admitted: {
      caller: {
        known: { token: { id: 1, userId: 7, group: "" }, allowsModel: () => true },
        principal: { group: "default" },
      },
    },
    platform: {
      name: "mj",
      channelTypes: new Set([2]),
      headers: () => {
        fail("headers");
        return {};
      },
      readSubmit: () => ({ outcome: "accepted", upstreamId: "u", body: "{}", state: { status: "SUBMITTED" } }),
    },
    startedAtMs: 0,
  };
  await expect(submit(call as unknown as TaskCall)).rejects.toThrow("an internal failure");
  return { settled, confirmed };
}

it.each(["open", "headers"] as const)("releases the hold when it fails unexpectedly: %s", async (step) => {
  const { settled, confirmed } = await submitFailing(step);
  expect(settled).toEqual([{ amount: 0, keep: false }]);
  expect(confirmed).toEqual(step === "open" ? [] : ["FAILURE"]);
});

it("keeps the charge of an accepted task that fails afterwards", async () => {
  const { settled } = await submitFailing("confirm");
  expect(settled).toEqual([expect.objectContaining({ keep: true })]);
});
