import { expect, it, vi } from "vitest";
import type { Json } from "../chat/chat.ts";
import { patchBody, toCallBody, withBody } from "./call-body.ts";
import type { Dialect } from "./dialect.ts";
import type { RelayCall } from "./relay-call.ts";

const parseRequest = vi.fn<Dialect["parseRequest"]>((body, path) => ({ body, path }) as never);
const dialect = { parseRequest } as unknown as Dialect;

const createCall = (bodyText: string): RelayCall => {
  const path = { model: "m", stream: true };
  return {
    dialect,
    ...path,
    ...toCallBody(dialect, path, { body: JSON.parse(bodyText) as Json, text: bodyText }),
  } as never;
};

/** The body of a call in each of its forms. */
const getForms = ({ body, bodyText, request }: RelayCall): readonly unknown[] => [
  body,
  JSON.parse(bodyText),
  (request() as unknown as { body: unknown }).body,
];

it.each<[string, (call: RelayCall) => RelayCall, Json]>([
  ["replaces the body", (call) => withBody(call, { b: 2 }), { b: 2 }],
  ["replaces the body and its text", (call) => withBody(call, { b: 2 }, '{ "b": 2 }'), { b: 2 }],
  ["patches a field", (call) => patchBody(call, { a: 3 }), { a: 3, n: 1 }],
  ["adds a field", (call) => patchBody(call, { c: [4] }), { c: [4], a: 1, n: 1 }],
  ["patches a patched body", (call) => patchBody(patchBody(call, { a: 3 }), { a: 5 }), { a: 5, n: 1 }],
])("%s in its three forms", (_, change, body) => {
  const call = createCall('{"a":1, "n":1.0}');
  call.request();
  const changed = change(call);
  expect(getForms(changed)).toEqual([body, body, body]);
  expect(getForms(call)).toEqual([
    { a: 1, n: 1 },
    { a: 1, n: 1 },
    { a: 1, n: 1 },
  ]);
});

it("keeps the bytes that a patch does not name", () => {
  expect(patchBody(createCall('{"a":1, "n":1.0}'), { a: 2 }).bodyText).toBe('{"a":2, "n":1.0}');
});

it("parses the internal representation once, with the model and the streaming of the changed call", () => {
  const changed = withBody({ ...createCall("{}"), model: "other", stream: false }, { b: 2 });
  parseRequest.mockClear();
  expect(changed.request()).toBe(changed.request());
  expect(parseRequest).toHaveBeenCalledExactlyOnceWith(
    { b: 2 },
    expect.objectContaining({ model: "other", stream: false }),
  );
});
