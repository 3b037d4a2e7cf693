import { expect, it } from "vitest";
import { readConfiguration } from "./configuration.ts";

const read = (text: string, env: NodeJS.ProcessEnv = {}) => readConfiguration([{ name: "site.yaml", text }], env);
const listProblems = (text: string, env?: NodeJS.ProcessEnv): string[] =>
  read(text, env).problems.map(({ place, message }) => `${place} ${message}`);

it("lists every problem of a file with its line", () => {
  const problems = listProblems(`version: 1
options:
  SystemName: Mine
  Unknown: 1
  RetryTimes: many
  SMTPToken: in clear
  GroupRatio: { vip: 1 }
prices:
  ModelRatio: { gpt-4o: -1 }
channels:
  - name: one
    type: Nobody
    key: { env: MISSING }
    models: []
    colour: red
  - name: two
    type: OpenAI
    key: plain
    models: [gpt-4o]
users:
  - { username: ann, role: king }
`);
  // A shape that is wrong is reported before values are read.
  expect(problems).toEqual([
    expect.stringMatching(/^site\.yaml:14:\d+ channels\[0\]\.models: /),
    "site.yaml:15:13 channels[0].colour: unknown field",
    expect.stringMatching(/^site\.yaml:18:\d+ channels\[1\]\.key: /),
    expect.stringMatching(/^site\.yaml:21:\d+ users\[0\]\.role: /),
  ]);
});

it("lists every wrong value with its line and never a secret", () => {
  const problems = listProblems(
    `version: 1
options:
  Unknown: 1
  RetryTimes: many
  SMTPToken: in clear
  GroupRatio: { vip: 1 }
  ModelPrice: { x: 1 }
prices:
  ModelRatio: { gpt-4o: -1 }
channels:
  - name: one
    type: Nobody
    key: { env: MISSING }
    models: [a]
users:
  - username: ann
    tokens: [{ name: t, key: { file: /nowhere } }]
  - username: Ann
`,
    { OTHER: "value" },
  );
  expect(problems).toEqual([
    "site.yaml:3:12 options.Unknown: unknown option",
    "site.yaml:4:15 options.RetryTimes: must be a number",
    "site.yaml:5:14 options.SMTPToken: is a secret: refer to it by { env }, { file } or { secret, key }",
    "site.yaml:6:15 options.GroupRatio: is declared by the section groups",
    "site.yaml:7:15 options.ModelPrice: is a price: declare it in the section prices",
    'site.yaml:9:15 prices.ModelRatio: ModelRatio["gpt-4o"]: gpt-4o must be a number of 0 or more',
    'site.yaml:12:11 channels[0].type: unknown provider "Nobody"',
    "site.yaml:13:10 channels[0].key: the environment variable MISSING is not set",
    "site.yaml:17:30 users[0].tokens[0].key: the file /nowhere cannot be read (ENOENT)",
    "site.yaml:18:15 users[1].username: is declared twice",
  ]);
});

it("reports syntax errors and repeated keys with their line", () => {
  expect(listProblems("version: 1\noptions:\n  A: [\n")[0]).toMatch(/^site\.yaml:\d+:\d+ /);
  expect(listProblems("version: 1\nversion: 1\n")[0]).toMatch(/^site\.yaml:2:1 /);
  expect(listProblems("version: 2\n")[0]).toMatch(/^site\.yaml:1:10 version: /);
});

it("joins files, and refuses what two of them declare", () => {
  const text = "version: 1\noptions: { SystemName: One }\ngroups: { vip: { ratio: 0.5 } }\n";
  const { problems } = readConfiguration(
    [
      { name: "a.yaml", text },
      { name: "b.yaml", text },
    ],
    {},
  );
  expect(problems.map(({ place, message }) => `${place} ${message}`)).toEqual([
    "b.yaml:2:24 options.SystemName: is declared twice",
    "b.yaml:3:16 groups.vip: is declared twice",
  ]);
});

it("gives defaults to fields that are missing, and numbers to channels of one name", () => {
  const { configuration, problems } = read(
    `version: 1
channels:
  - { name: one, type: openai, key: { env: K }, models: [a] }
  - { name: one, type: custom, key: { env: K }, models: [b] }
`,
    { K: "secret" },
  );
  expect(problems).toEqual([]);
  expect(configuration.channels).toMatchObject([
    { label: "one", typeId: 1, secret: "secret", groups: ["default"], status: "enabled", auto_ban: true },
    { label: "one#2", typeId: 8 },
  ]);
});
