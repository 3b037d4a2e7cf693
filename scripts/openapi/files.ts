import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTypes } from "../../services/api-client/scripts/create-types.ts";
import { createApiDocument } from "./api-document.ts";
import { createModelDocument } from "./model-document.ts";

/** The top of the repository. */
export const ROOT = join(import.meta.dirname, "../..");

/** The files that are made of the code, relative to the repository. */
async function createFiles(): Promise<Map<string, string>> {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const toText = (value: unknown): string => `${JSON.stringify(value, undefined, 1)}\n`;
  const api = await createApiDocument({ version });
  const model = await createModelDocument({ version });
  return new Map([
    ["services/gateway/src/openapi.json", toText(api)],
    ["services/relay/src/http/openapi.json", toText(model)],
    ["services/api-client/src/schema.ts", await createTypes(api)],
  ]);
}

/** The files whose stored text differs. */
export async function listStaleFiles(): Promise<[name: string, text: string][]> {
  const isCurrent = (name: string, text: string): boolean =>
    existsSync(join(ROOT, name)) && readFileSync(join(ROOT, name), "utf8") === text;
  return [...(await createFiles())].filter(([name, text]) => !isCurrent(name, text));
}
