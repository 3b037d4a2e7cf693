import { CHANNEL_SETTING_KEYS } from "@turnpike/contract/channel-setting";
import { expect, it } from "vitest";
import { SETTING_HELPERS } from "./setting-helpers.ts";

it("has a field for every key of a channel's setting", () => {
  expect(SETTING_HELPERS.map(({ key }) => key).toSorted()).toEqual(CHANNEL_SETTING_KEYS.toSorted());
});
