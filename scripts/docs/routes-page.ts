import { createApiDocument } from "../openapi/api-document.ts";
import { createModelDocument } from "../openapi/model-document.ts";
import { code, page, table } from "./markdown.ts";

type Operation = {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
};
type Document = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

const listRows = ({ paths }: Document, tag: string): string[][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Operation>>)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, { summary, description = "" }]) => [
        code(`${method.toUpperCase()} ${path}`),
        summary,
        description,
      ]),
  );

const toSections = (document: Document, head: readonly string[]): string[] =>
  document.tags.map(({ name, description }) =>
    [
      `## ${name}`,
      description,
      table(
        head,
        listRows(document, name).map((row) => row.slice(0, head.length)),
      ),
    ].join("\n\n"),
  );

/** Every call of `/api`. */
export async function createRoutesPage(): Promise<string> {
  const document: Document = await createApiDocument({ version: "" });
  return page(
    "Calls of /api",
    "Requests and responses are described by the OpenAPI document that every install serves at `/api/openapi.json`. Scripts authenticate with `Authorization: Bearer <access token>`; users create theirs on their account page. [Error codes](console-errors.md)",
    ...toSections(document, ["Call", "What", "Who"]),
  );
}

/** Every call of the model API. */
export async function createModelRoutesPage(): Promise<string> {
  const document: Document = await createModelDocument({ version: "" });
  return page(
    "Calls of the model API",
    "The OpenAPI document is served at `/v1/openapi.json`. [Error codes](model-errors.md)",
    ...toSections(document, ["Call", "What"]),
  );
}
