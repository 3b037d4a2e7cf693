import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createCoveragePage } from "./coverage-page.ts";
import { createEnvironmentPage } from "./environment-page.ts";
import { createConsoleErrorsPage, createModelErrorsPage } from "./error-pages.ts";
import { createMetricsPage } from "./metrics-page.ts";
import { createOptionsPage } from "./options-page.ts";
import { createProvidersPage } from "./providers-page.ts";
import { createModelRoutesPage, createRoutesPage } from "./routes-page.ts";
import { createRunbooksPage } from "./runbooks-page.ts";

/** The top of the repository. */
export const ROOT = join(import.meta.dirname, "../..");

/** The generated pages by their path in the repository. */
export async function createPages(): Promise<Map<string, string>> {
  return new Map([
    ["docs/reference/options.md", await createOptionsPage()],
    ["docs/reference/model-errors.md", createModelErrorsPage("en")],
    ["docs/zh/reference/model-errors.md", createModelErrorsPage("zh")],
    ["docs/reference/console-errors.md", createConsoleErrorsPage()],
    ["docs/reference/console-calls.md", await createRoutesPage()],
    ["docs/reference/model-calls.md", await createModelRoutesPage()],
    ["docs/reference/metrics.md", createMetricsPage()],
    ["docs/reference/environment.md", createEnvironmentPage()],
    ["docs/reference/channel-types.md", createProvidersPage()],
    ["docs/reference/runbooks.md", createRunbooksPage()],
    ["docs/dialect-coverage.md", createCoveragePage()],
  ]);
}

/** Those pages whose stored text differs. */
export async function listStalePages(): Promise<[path: string, text: string][]> {
  const isCurrent = (path: string, text: string): boolean =>
    existsSync(join(ROOT, path)) && readFileSync(join(ROOT, path), "utf8") === text;
  return [...(await createPages())].filter(([path, text]) => !isCurrent(path, text));
}
