import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CHANNEL_SETTING_KEYS } from "../../services/contract/src/channel-setting.ts";
import { ROOT } from "./files.ts";

it("explains every key of a channel's setting in docs/model-api.md", () => {
  const text = readFileSync(join(ROOT, "docs/model-api.md"), "utf8");
  const [, section = ""] = /## Settings of a channel\n([^]*?)\n## /.exec(text) ?? [];
  const explained = Array.from(section.matchAll(/^\| `(\w+)`/gm), ([, key = ""]) => key);
  expect(explained.toSorted()).toEqual(CHANNEL_SETTING_KEYS.toSorted());
});
