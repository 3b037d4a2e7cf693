import { describe, expect, it } from "vitest";
import { checkOptionValue } from "./option-validation.ts";
import { type OptionDefinition, type OptionKey, OPTIONS } from "./option-definitions.ts";
import { normalizeOption } from "./option-formats.ts";
import { getOptionPermission, mayChangeOption, mayReadOption } from "./option-permissions.ts";
import { optionProblemInEnglish } from "./option-problems.ts";

const KEYS = Object.keys(OPTIONS) as OptionKey[];
const findDefinition = (key: OptionKey): OptionDefinition => OPTIONS[key];
const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** Values that are invalid for every option of a kind. */
function listBadValues({ type, min, max, choices, shape, format, maxLength, secret }: OptionDefinition): string[] {
  if (type === "boolean") return ["", "1", "TRUE", "yes", " true"];
  if (type === "json") {
    const wrongKind = shape === "array" ? "{}" : "[]";
    const wrongEntry = { ratios: '{"a":-1}', texts: '{"a":1}', object: "null", array: '"a"' }[shape ?? "object"];
    return ["", "{", '{"a":', "nonsense", '{"a":1}}', wrongKind, wrongEntry, ...(shape === "array" ? [] : ['{"":1}'])];
  }
  if (type === "text") {
    const long = "x".repeat((maxLength ?? (secret ? 8_000 : 500_000)) + 1);
    return [...(choices ? ["", "no such choice"] : [long]), ...(format ? ["\u0001 <script>,,@ %%"] : [])].filter(
      (value) => format !== "words" || !value.includes("<script>"),
    );
  }
  return [
    "many",
    "1,5",
    "0x10",
    "Infinity",
    "NaN",
    ...(min === undefined ? [] : [String(min - 1)]),
    ...(max === undefined || max === Number.MAX_SAFE_INTEGER ? [] : [String(max + 1)]),
    ...(type === "integer" ? ["1.5"] : []),
  ];
}

describe("every option", () => {
  it.each(KEYS)("%s accepts its default", (key) => {
    const definition = findDefinition(key);
    expect(checkOptionValue(key, definition.default)).toBeUndefined();
    expect(normalizeOption(definition, definition.default)).toBe(definition.default);
  });

  it.each(KEYS)("%s refuses invalid values with a message in both languages", (key) => {
    for (const value of listBadValues(findDefinition(key))) {
      const problem = checkOptionValue(key, value);
      expect([value.slice(0, 40), problem]).toEqual([value.slice(0, 40), expect.any(String)]);
      expect(isChinese(optionProblemInEnglish(problem ?? ""))).toBe(false);
    }
  });

  it("requires only existing options, and only for booleans", () => {
    for (const key of KEYS) {
      const { needs = [], type } = findDefinition(key);
      for (const need of needs.flatMap((either) => either.split("|"))) expect(KEYS).toContain(need);
      expect(needs.length === 0 || type === "boolean").toBe(true);
    }
  });

  it("requires at least an administrator, and always accepts root", () => {
    for (const key of KEYS) {
      expect([key, mayChangeOption(key, 1, false), mayReadOption(key, 1, false)]).toEqual([key, false, false]);
      expect([key, mayChangeOption(key, 100, true)]).toEqual([key, true]);
      expect([key, mayChangeOption(key, 10, false)]).toEqual([key, getOptionPermission(key) !== "root"]);
      expect([key, mayChangeOption(key, 10, true)]).toEqual([key, getOptionPermission(key) === "admin"]);
      expect([key, mayReadOption(key, 10, true)]).toEqual([key, getOptionPermission(key) !== "guarded"]);
    }
  });
});

describe("option value", () => {
  it.each([
    ["ServerAddress", "https://gate.example", true],
    ["ServerAddress", "http://192.168.1.5:3000/", true],
    ["ServerAddress", "gate.example", false],
    ["ServerAddress", "javascript:alert(1)", false],
    ["ServerAddress", "https://gate.example/?a=1", false],
    ["ServerAddress", "https://gate.example/ai", false],
    ["ServerAddress", "https://user:pw@gate.example", false],
    ["ServerAddress", "https://user@gate.example", false],
    ["WorkerUrl", "https://worker.example/fetch", true],
    ["WorkerUrl", "https://user:pw@worker.example", false],
    ["oidc.well_known", "https://user:pw@id.example/.well-known/openid-configuration", false],
    ["oidc.well_known", "https://id.example/.well-known/openid-configuration", true],
    ["oidc.well_known", "file:///etc/passwd", false],
    ["Logo", "data:image/png;base64,AAAA", true],
    ["Logo", "/logo.svg", true],
    ["Logo", "//evil.example/x.png", false],
    ["Logo", "data:text/html;base64,AAAA", false],
    ["EmailDomainWhitelist", "gmail.com, example.co.uk", true],
    ["EmailDomainWhitelist", "gmail.com,gmail.com", false],
    ["EmailDomainWhitelist", "gmail", false],
    ["CheckInTimezone", "Asia/Shanghai", true],
    ["CheckInTimezone", "", true],
    ["CheckInTimezone", "Mars/Olympus", false],
    ["SensitiveWords", "word\nregex:\\d{16}\nregex:(?i)secret", true],
    ["SensitiveWords", "word\nregex:(", false],
    ["SensitiveWords", "regex:(?=a)b", false],
    ["SMTPFrom", "Gate <gate@mail.example>", true],
    ["SMTPFrom", "gate@mail.example", true],
    ["SMTPFrom", "gate\r\nBcc: all@x.example", false],
    ["SMTPServer", "smtp.mail.example", true],
    ["SMTPServer", "https://smtp.mail.example", false],
    ["global_css", "body { color: red }", true],
    ["global_css", "</style><script>alert(1)</script>", false],
    ["Chats", '[{"App":"https://chat.example/#/?key={key}"},{"Scheme":"ama://set-api-key?key={key}"}]', true],
    ["Chats", '[{"App":"javascript:alert(1)"}]', false],
    ["Chats", '[{"a":"https://x.example","b":"https://y.example"}]', false],
    ["ModelRequestRateLimitGroup", '{"vip":[0,1000]}', true],
    ["ModelRequestRateLimitGroup", '{"vip":[0]}', false],
    ["claude.model_headers_settings", '{"claude-3":{"anthropic-beta":["a","b"]}}', true],
    ["claude.model_headers_settings", '{"claude-3":{"bad header":["a"]}}', false],
    ["claude.default_max_tokens", '{"default":0}', false],
    ["gemini.supported_imagine_models", '["a",1]', false],
    ["GroupRatio", '{"default":1,"vip":0.5}', true],
    ["GroupRatio", '{"vip":1,"vip":2}', false],
    ["GroupRatio", '{"vip":"1"}', false],
    ["RebatePercentage", "12.5", true],
    ["RebatePercentage", "100.1", false],
    ["fallback_single_price", "", true],
    ["Price", "7.30", true],
    ["RetryTimes", "2.5", false],
    ["NoSuchOption", "1", false],
    ["constructor", "1", false],
  ])("accepts %s = %j: %s", (key, value, isFine) => {
    expect(checkOptionValue(key, value) === undefined).toBe(isFine);
  });

  it.each([
    ["ServerAddress", " https://gate.example// ", "https://gate.example"],
    ["oidc.well_known", "https://id.example/ ", "https://id.example/"],
    ["RetryTimes", " 3 ", "3"],
    ["Notice", " as written \n", " as written \n"],
    ["SensitiveWords", "a\n\n b", "a\n\n b"],
  ] as const)("stores %s = %j as %j", (key, value, stored) => {
    expect(normalizeOption(OPTIONS[key], value)).toBe(stored);
  });

  it("has an English message with its parameters", () => {
    expect(optionProblemInEnglish("vip 必须是不小于 0 的数字")).toBe("vip must be a number of 0 or more");
    expect(optionProblemInEnglish("不能大于 100")).toBe("must be 100 or less");
    expect(optionProblemInEnglish("something else")).toBe("something else");
  });
});
