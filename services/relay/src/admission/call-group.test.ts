import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { expect, it } from "vitest";
import type { Admitted } from "../core/call/caller.ts";
import { checkGroup } from "./call-group.ts";

const options = optionsInForce(
  Object.entries({
    UserUsableGroups: '{"default":"","vip":"","ghost":""}',
    GroupRatio: '{"default":1,"vip":2,"closed":1}',
    GroupGroupRatio: '{"default":{"special":0.5}}',
  }).map(([key, value]) => ({ key, value })),
);
const admittedIn = (group: string, pinnedChannelId?: number, own = "default"): Admitted =>
  ({
    caller: { known: { token: { group } }, principal: { group: own } },
    pinnedChannelId,
  }) as unknown as Admitted;

it("requires a token's group to be open to its user and to have a ratio", () => {
  for (const group of ["", "default", "vip"]) expect(() => checkGroup(admittedIn(group), options)).not.toThrow();
  for (const group of ["svip", "ghost", "closed"])
    expect(() => checkGroup(admittedIn(group), options)).toThrowError(
      expect.objectContaining({ status: 403, code: "group_not_allowed" }),
    );
  expect(() => checkGroup(admittedIn("closed", 3), options)).not.toThrow();
});

it("refuses calls of a user whose own group has no ratio, pinned ones too", () => {
  for (const pinned of [undefined, 3])
    expect(() => checkGroup(admittedIn("", pinned, "gone"), options)).toThrowError(/group gone has no ratio/);
});
