import { join } from "node:path";
import { z } from "zod";
import { CONFIGS } from "../chart/environment-problems.ts";
import { readSchemaComments } from "../openapi/schema-comments.ts";
import { CommandConfig } from "../../services/gateway/src/declared/command-config.ts";
import { InstallTestConfig } from "../../services/gateway/src/install-test/install-test-config.ts";
import { Settings } from "../up/up-settings.ts";
import { TOOL_VARIABLES, UP_VARIABLES } from "./environment-tools.ts";
import { code, page, table } from "./markdown.ts";

const ROOT = join(import.meta.dirname, "../..");
const SHARED = ["services/shared/src/config/base-config.ts", "services/shared/src/events/nats-options.ts"];
const HEAD = ["Variable", "Default", "What"];

/** One variable with its default as the page shows it. */
export type Variable = { readonly name: string; readonly value: string; readonly text: string };

/** The docstrings of the fields in files of settings; the first file that has one decides. */
function readComments(files: readonly string[]): Map<string, string> {
  const fields = files.flatMap((file) =>
    [...readSchemaComments(join(ROOT, file)).values()].flatMap((schema) => [...schema.fields]),
  );
  return new Map(fields.toReversed());
}

/** A path of this checkout as the reader finds it in theirs. */
const toRelative = (value: string): string => (value.startsWith(`${ROOT}/`) ? value.slice(ROOT.length + 1) : value);

/** The default of a variable; undefined if it has none. */
function findDefault(schema: z.ZodType): string | undefined {
  const { data } = schema.safeParse(undefined);
  if (data === undefined) return undefined;
  if (Array.isArray(data)) return data.join(",");
  return typeof data === "string" ? toRelative(data) : JSON.stringify(data);
}

function toVariable(name: string, schema: z.ZodType, text: string): Variable {
  const { success } = schema.safeParse(undefined);
  const value = findDefault(schema);
  const shown = value === undefined ? (success ? "–" : "required") : value === "" ? "empty" : code(value);
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const choices = described.enum ? ` One of ${described.enum.map((one) => code(String(one))).join(", ")}.` : "";
  return { name, value: shown, text: `${text}${choices}` };
}

const listFields = (config: z.ZodObject, comments: ReadonlyMap<string, string>): Variable[] =>
  Object.entries(config.shape)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => toVariable(name, schema as z.ZodType, comments.get(name) ?? ""));

/** The variables of one service with their default and meaning. */
export function listVariables(service: string): Variable[] {
  const config = CONFIGS[service];
  if (!config) throw new Error(`${service} is no service`);
  const own = [`services/${service}/src/config.ts`];
  if (service === "auth") own.push("services/auth/src/oauth/endpoints.ts");
  return listFields(config, readComments([...own, ...SHARED]));
}

/** The variables of `make up`, `make demo` and tools. */
export function listUpVariables(): Variable[] {
  const declared = listFields(Settings, readComments(["scripts/up/up-settings.ts"]));
  return [...declared, ...UP_VARIABLES.map(([name, value, text]) => ({ name, value, text }))];
}

/** The variables of the program of `helm test`, which the chart sets. */
export const listInstallTestVariables = (): Variable[] =>
  listFields(InstallTestConfig, readComments(["services/gateway/src/install-test/install-test-config.ts"]));

/** The variables of the command `turnpike`. */
export const listCommandVariables = (): Variable[] =>
  listFields(CommandConfig, readComments(["services/gateway/src/declared/command-config.ts"]));

const toTable = (variables: readonly Variable[]): string =>
  table(
    HEAD,
    variables.map(({ name, value, text }) => [code(name), value, text]),
  );

/** The environment variables by service, those that all of them read first; then those of make, tools and tests. */
export function createEnvironmentPage(): string {
  const all = Object.keys(CONFIGS).map((service) => ({ service, variables: listVariables(service) }));
  const [first] = all;
  const isCommon = (name: string): boolean => all.every(({ variables }) => variables.some((one) => one.name === name));
  const sections = [
    { title: "Every service", intro: "", variables: (first?.variables ?? []).filter(({ name }) => isCommon(name)) },
    ...all.map(({ service, variables }) => ({
      title: service,
      intro: "",
      variables: variables.filter(({ name }) => !isCommon(name)),
    })),
    {
      title: "make up, make demo and tools",
      intro: "All other variables are passed on to the services.",
      variables: listUpVariables(),
    },
    {
      title: "helm test",
      intro: "Set by the chart from its values.",
      variables: listInstallTestVariables(),
    },
    {
      title: "turnpike",
      intro: "The command that applies, compares and exports the declared configuration.",
      variables: listCommandVariables(),
    },
    ...TOOL_VARIABLES.map(({ title, intro, rows }) => ({
      title,
      intro,
      variables: rows.map(([name, value, text]) => ({ name, value, text })),
    })),
  ];
  return page(
    "Environment variables",
    "Each service checks its environment when it starts and names every problem. `make up` sets the services' variables by itself; the Helm chart sets them from its values.",
    ...sections.map(({ title, intro, variables }) =>
      [`## ${title}`, intro, toTable(variables)].filter((part) => part !== "").join("\n\n"),
    ),
  );
}
