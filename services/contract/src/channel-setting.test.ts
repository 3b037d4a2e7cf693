import { expect, it } from "vitest";
import { readChannelSetting } from "./channel-setting.ts";

const DEFAULTS = {
  on_client_disconnect: "cancel",
  proxy: "",
  force_format: false,
  thinking_to_content: false,
  response_cache: false,
  stream_support: "",
};

it.each(["", "  ", "no json", "null", "[]", '"text"'])("has the defaults for %j, which is no object", (text) => {
  expect(readChannelSetting(text)).toEqual(DEFAULTS);
});

it("reads each key by itself: one that is not valid does not affect the others", () => {
  const text = JSON.stringify({ on_client_disconnect: "wait", proxy: 7, force_format: "true", response_cache: "yes" });
  expect(readChannelSetting(text)).toEqual({ ...DEFAULTS, force_format: true });
  expect(readChannelSetting('{"on_client_disconnect":"drain","proxy":" socks5://a:1 "}')).toEqual({
    ...DEFAULTS,
    on_client_disconnect: "drain",
    proxy: "socks5://a:1",
  });
});

it("ignores other keys", () => {
  expect(readChannelSetting('{"note":"mine"}')).toEqual({ ...DEFAULTS, note: "mine" });
});
