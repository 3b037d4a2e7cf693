import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readModelList } from "./channels.ts";
import { type Deployment, readConfigFile } from "./deployments.ts";
import { readBudget } from "./limits.ts";
import { intersectAccess, readModelAccess, withAliases } from "./model-access.ts";
import { joinPrices } from "./prices.ts";
import { findProvider, toOpenAiAddress } from "./providers.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "litellm-mapping-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MODELS = [
  { name: "gpt-4o", accessGroups: ["beta"] },
  { name: "openai/o3", accessGroups: [] },
  { name: "openai/gpt-5", accessGroups: ["beta"] },
];

it("reads lists of models with patterns, access groups and special names", () => {
  const list = (...entries: string[]) => {
    const access = readModelAccess(entries, MODELS);
    return access && [...access];
  };
  expect(list()).toBeUndefined();
  expect(list("all-team-models", "gpt-4o")).toBeUndefined();
  expect(list("openai/*")).toEqual(["openai/o3", "openai/gpt-5"]);
  expect(list("beta", "unknown")).toEqual(["gpt-4o", "openai/gpt-5", "unknown"]);
  expect(list("no-default-models")).toEqual([]);
  expect(intersectAccess(new Set(["a", "b"]), new Set(["b", "c"]))).toEqual(new Set(["b"]));
  expect(intersectAccess(undefined, new Set(["b"]))).toEqual(new Set(["b"]));
  expect(withAliases(new Set(["b"]), { short: "b", other: "c" })).toEqual(new Set(["b", "short"]));
});

it.each([
  ["1d", "day"],
  ["24h", "day"],
  ["7d", "week"],
  ["30d", "month"],
  ["1mo", "month"],
  ["monthly", "month"],
  ["14d", undefined],
  ["", undefined],
])("a budget of %j has the period %j", (duration, period) => {
  expect(readBudget({ max_budget: "5", budget_duration: duration }).period).toBe(period);
});

it("takes each part of a budget that a key does not have from the table of budgets", () => {
  const shared = { max_budget: "7", budget_duration: "7d", budget_reset_at: "2026-11-30 00:00:00" };
  expect(readBudget({ max_budget: null, spend: "1" }, shared)).toMatchObject({ max: 7n * 10n ** 30n, period: "week" });
  expect(readBudget({ max_budget: "2" }, shared)).toMatchObject({
    max: 2n * 10n ** 30n,
    period: "week",
    resetAt: Date.UTC(2026, 10, 30) / 1000,
  });
  const own = { budget_duration: "1d", budget_reset_at: "2026-11-27 00:00:00" };
  expect(readBudget(own, shared)).toMatchObject({
    max: 7n * 10n ** 30n,
    period: "day",
    resetAt: Date.UTC(2026, 10, 27) / 1000,
  });
});

it.each([
  ["openai/gpt-4o", "", "", "openai", "gpt-4o", 1],
  ["gpt-4o", "", "", "openai", "gpt-4o", 1],
  ["claude-sonnet-4-5", "", "", "anthropic", "claude-sonnet-4-5", 14],
  ["azure/my-deployment", "", "", "azure", "my-deployment", 3],
  ["bedrock/anthropic.claude-3", "", "", "bedrock", "anthropic.claude-3", 33],
  ["my/model", "", "http://vllm:8000/v1", "openai", "my/model", 1],
  ["meta/llama", "hosted_vllm", "", "hosted_vllm", "meta/llama", 1],
  ["replicate/x", "", "", "replicate", "replicate/x", undefined],
] as const)("finds the provider of %s", (...row) => {
  const [model, custom, base, ...expected] = row;
  const found = findProvider(model, custom, base);
  expect([found.provider, found.model, found.target?.type]).toEqual(expected);
});

it("keeps LiteLLM's address where it has a version, and makes it complete where it has none", () => {
  expect(toOpenAiAddress("http://vllm:8000/v1/")).toEqual({ type: 1, baseUrl: "http://vllm:8000/v1" });
  expect(toOpenAiAddress("https://api.example.com/openai")).toEqual({
    type: 8,
    baseUrl: "https://api.example.com/openai/chat/completions",
  });
});

const deployment = (id: string, name: string, params: Deployment["params"], info = {}): Deployment => ({
  id,
  name,
  params,
  info,
  isBlocked: false,
  sealed: [],
});

describe("a model list", () => {
  const read = (list: readonly Deployment[], variables: Readonly<Record<string, string>> = {}) => {
    const { channels, notes } = readModelList(list, (name) => variables[name] ?? "", 1);
    return { notes, channels: channels.map((channel) => ({ ...channel.read(), status: channel.state.status })) };
  };

  it("becomes a channel for each provider, address and key; a name with two models is two", () => {
    const { channels, notes } = read([
      deployment("1", "fast", { model: "openai/gpt-4o-mini", api_key: "key-one" }),
      deployment("2", "gpt-4o", { model: "openai/gpt-4o", api_key: "key-one" }),
      deployment("3", "fast", { model: "openai/gpt-4.1-mini", api_key: "key-one" }),
      deployment("4", "fast", { model: "openai/gpt-4o-mini", api_key: "key-two" }),
    ]);
    expect(notes).toEqual([]);
    expect(channels.map(({ fields, keys }) => [fields.models, keys, fields.modelMapping])).toEqual([
      [["fast", "gpt-4o"], ["key-one"], '{"fast":"gpt-4o-mini"}'],
      [["fast"], ["key-one"], '{"fast":"gpt-4.1-mini"}'],
      [["fast"], ["key-two"], '{"fast":"gpt-4o-mini"}'],
    ]);
  });

  it("has keys from the environment, and keys of Bedrock and Vertex in their form here", () => {
    const { channels } = read(
      [
        deployment("1", "a", { model: "openai/gpt-4o", api_key: "os.environ/MY_KEY" }),
        deployment("2", "b", { model: "gpt-4o", organization: "org-1" }),
        deployment("3", "c", {
          model: "bedrock/anthropic.claude-3",
          aws_access_key_id: "AK",
          aws_secret_access_key: "os.environ/AWS_SECRET",
          aws_region_name: "eu-west-1",
        }),
        deployment("4", "d", {
          model: "vertex_ai/gemini-2.5-pro",
          vertex_credentials: { type: "service_account" },
          vertex_location: "europe-west4",
        }),
      ],
      { MY_KEY: "mine", OPENAI_API_KEY: "default", AWS_SECRET: "SK" },
    );
    expect(channels.map(({ keys, fields }) => [keys[0], fields.other, fields.openaiOrganization])).toEqual([
      ["mine", "", ""],
      ["default", "", "org-1"],
      ["AK|SK|eu-west-1", "", ""],
      ['{"type":"service_account"}', "europe-west4", ""],
    ]);
  });

  it("is switched off where its key is unknown, with the reason", () => {
    const { channels, notes } = read([
      deployment("1", "a", { model: "openai/gpt-4o", api_key: "os.environ/MISSING" }),
      { ...deployment("2", "b", { model: "openai/gpt-4o", api_key: "k" }), isBlocked: true },
      { ...deployment("3", "gpt-4.1", { model: "AAAA", api_key: "BBBB" }), sealed: ["model", "api_key"] },
      deployment("4", "all/*", { model: "openai/*", api_key: "k" }),
    ]);
    expect(channels.map(({ status, keys }) => [status, keys])).toEqual([
      [2, []],
      [2, ["k"]],
      [2, []],
    ]);
    expect(notes).toEqual([
      "model all/* is left out: a channel lists its models by name",
      "channel openai (a) of 1 models is switched off: the variable MISSING is not set",
      "channel openai (b) of 1 models is switched off: it is blocked",
      "channel openai (gpt-4.1) of 1 models is switched off: its key is encrypted; set LITELLM_SALT_KEY",
    ]);
  });
});

it("adds prices of a model list to those here, which precede them", () => {
  const stored = { PriceRules: '{"taken":{"input":9,"output":9}}' };
  const list = [
    deployment("1", "own", { model: "openai/x", input_cost_per_token: "0.000001", output_cost_per_token: 2e-6 }),
    deployment("2", "own", { model: "openai/x", input_cost_per_token: 3e-6, output_cost_per_token: 3e-6 }),
    deployment("3", "taken", { model: "openai/x", input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 }),
    deployment("4", "base", { model: "azure/mine" }, { base_model: "azure/gpt-4o" }),
    deployment("5", "plain", { model: "openai/gpt-4o" }),
  ];
  const catalogue = { "gpt-4o": { input: 2.5, output: 10 } };
  const { value, count, notes } = joinPrices(list, { stored, catalogue });
  expect(JSON.parse(value ?? "{}")).toEqual({
    taken: { input: 9, output: 9 },
    own: { input: 1, output: 2 },
    base: { input: 2.5, output: 10 },
  });
  expect(count).toBe(3);
  expect(notes).toEqual([
    "model own has several prices in LiteLLM; a model has one here, the first",
    "model taken has a price of its own here, which stays",
  ]);
  expect(joinPrices(list, { stored: { PriceRules: value ?? "" }, catalogue }).value).toBeUndefined();
});

it("reads a config.yaml with stable ids, and names what is wrong in it", () => {
  const path = join(folder, "config.yaml");
  const entry = "  - model_name: a\n    litellm_params: { model: openai/gpt-4o, api_key: os.environ/K }\n";
  writeFileSync(path, `model_list:\n${entry}${entry}environment_variables: { K: secret }\n`);
  const first = readConfigFile(path);
  expect(first.deployments.map(({ id }) => id)).toEqual(readConfigFile(path).deployments.map(({ id }) => id));
  expect(new Set(first.deployments.map(({ id }) => id)).size).toBe(2);
  expect(first.environment).toEqual({ K: "secret" });
  writeFileSync(path, "model_list:\n  - model_name: a\n");
  expect(() => readConfigFile(path)).toThrow("model_list[0] needs a model_name and litellm_params.model");
  writeFileSync(path, "model_list: [\n");
  expect(() => readConfigFile(path)).toThrow("is not YAML");
});
