// This test reads source files; it never reaches the browser.
// oxlint-disable no-restricted-imports
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "..");
const CONTRACT = join(SOURCE, "../../services/contract/src");
const ENGLISH = join(import.meta.dirname, "en");

const CALL = /\b(?:t|text)\(\s*"((?:[^"\\]|\\.)*)"/g;
const CHINESE = /[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/;
const PLURAL = /_(?:one|other)$/;

const codeFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
  );

const unquote = (body: string): string => JSON.parse(`"${body}"`) as string;

/** Every source sentence, with the files that show it. */
function usedKeys(): Map<string, string[]> {
  const used = new Map<string, string[]>();
  for (const file of codeFiles(SOURCE)) {
    for (const [, body = ""] of readFileSync(join(SOURCE, file), "utf8").matchAll(CALL)) {
      used.set(unquote(body), [...(used.get(unquote(body)) ?? []), file]);
    }
  }
  return used;
}

/** Dictionaries that are loaded with an area of the console, by the files that show their sentences. */
const SETTINGS = "features/settings/";
const AREA_FILES: Readonly<Record<string, readonly string[]>> = {
  "console.json": ["app/shell/", "components/", "domain/", "features/"],
  "sign-in.json": ["features/sign-in/"],
  "setup.json": ["features/setup/"],
  "start.json": ["features/start/"],
  "dashboard.json": ["features/dashboard/"],
  "pricing.json": ["features/pricing/"],
  "status.json": ["features/status/"],
  "logs.json": ["features/logs/"],
  "inbox.json": ["features/inbox/"],
  "users.json": ["features/users/"],
  "audit.json": ["features/audit/"],
  "channels.json": ["features/channels/"],
  "channel-editor.json": ["editor/", "tags/tag-editor", "tags/tag-f"].map((start) => `features/channels/${start}`),
  "redemption-codes.json": ["features/redemption-codes/"],
  "tasks.json": ["features/tasks/"],
  "tokens.json": ["features/tokens/"],
  "messages.json": ["features/messages/"],
  "billing.json": ["features/billing/"],
  "playground.json": ["features/playground/"],
  "profile.json": ["features/profile/"],
  "settings.json": [SETTINGS],
  "settings-operation.json": [
    "panels/operation-",
    "panels/log-",
    "groups/",
    "lists/",
    "prices/",
    "rehearsal/",
    "tabs/operation-",
  ].map((start) => SETTINGS + start),
  "settings-models.json": [`${SETTINGS}panels/model-`],
  "settings-system.json": ["system-", "sign-in-", "smtp-", "oidc-", "setting-checks"].map(
    (start) => `${SETTINGS}panels/${start}`,
  ),
  "settings-other.json": [`${SETTINGS}panels/other-`, `${SETTINGS}panels/version-`],
};

/** What runs on pages without the shell, whose dictionary is `console.json`. */
const WITHOUT_SHELL = ["features/sign-in/", "features/setup/", "domain/identity/", "lib/", "app/"];
const isWithoutShell = (file: string): boolean =>
  !file.startsWith("app/shell/") && WITHOUT_SHELL.some((start) => file.startsWith(start));

/**
 * Sentences that come from the contract (names of types, default descriptions of groups) and are translated where they
 * are shown.
 */
function contractSentences(): Set<string> {
  const found = new Set<string>();
  for (const file of codeFiles(CONTRACT)) {
    for (const [, body = ""] of readFileSync(join(CONTRACT, file), "utf8").matchAll(/"((?:[^"\\\n]|\\.)*)"/g)) {
      if (CHINESE.test(body)) found.add(unquote(body));
    }
  }
  return found;
}

function englishFiles(): [string, Record<string, string>][] {
  return readdirSync(ENGLISH).map((file) => [
    file,
    JSON.parse(readFileSync(join(ENGLISH, file), "utf8")) as Record<string, string>,
  ]);
}

const placeholders = (sentence: string): string[] =>
  [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);

describe("the English locale", () => {
  const used = usedKeys();
  const entries = englishFiles().flatMap(([file, keys]) =>
    Object.entries(keys).map(([key, value]) => ({ file, key, value })),
  );
  const translated = new Set(entries.map(({ key }) => key.replace(PLURAL, "")));

  it("has every sentence that the source uses", () => {
    expect([...used].filter(([key]) => !translated.has(key)).map(([key, files]) => `${files[0]}: ${key}`)).toEqual([]);
  });

  it("has no sentence in an area's dictionary that another area shows", () => {
    const outside = entries.flatMap(({ file, key }) => {
      const starts = AREA_FILES[file];
      const files = starts ? (used.get(key.replace(PLURAL, "")) ?? []) : [];
      const isOutside = (one: string): boolean =>
        !starts?.some((start) => one.startsWith(start)) || (file === "console.json" && isWithoutShell(one));
      return files.filter(isOutside).map((one) => `${one}: ${key}`);
    });
    expect(outside).toEqual([]);
  });

  it("has no unused sentence", () => {
    const known = contractSentences();
    const unused = entries.filter(({ key }) => !used.has(key.replace(PLURAL, "")) && !known.has(key));
    expect(unused.map(({ file, key }) => `${file}: ${key}`)).toEqual([]);
  });

  it("has each sentence once, with both plural forms where it counts", () => {
    const keys = entries.map(({ key }) => key);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    const plural = keys.filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, ""));
    const lonely = plural.filter((key) => !keys.includes(`${key}_one`) || !keys.includes(`${key}_other`));
    expect(lonely).toEqual([]);
  });

  it("has the same placeholders as the source sentence, and no Chinese", () => {
    const wrong = entries.filter(({ key, value }) => {
      const names = new Set(placeholders(key));
      return CHINESE.test(value) || value.trim() === "" || placeholders(value).some((name) => !names.has(name));
    });
    expect(wrong.map(({ key }) => key)).toEqual([]);
  });
});

describe("the source", () => {
  it("has no Chinese text outside of the translation calls", () => {
    const stray = codeFiles(SOURCE).flatMap((file) =>
      readFileSync(join(SOURCE, file), "utf8")
        .replace(CALL, "")
        .split("\n")
        .filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line) && CHINESE.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(stray).toEqual([]);
  });
});
