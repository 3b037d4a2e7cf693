import { createRequire } from "node:module";
import { join } from "node:path";
import { type Node, Project, type SourceFile, type Type } from "ts-morph";

const require = createRequire(import.meta.url);

/** The SDKs whose declarations are read, in the versions of package.json. */
const DECLARATIONS = {
  "openai-chat": ["openai", "resources/chat/completions/completions.d.ts"],
  "openai-completions": ["openai", "resources/completions.d.ts"],
  "openai-responses": ["openai", "resources/responses/responses.d.ts"],
  "openai-shared": ["openai", "resources/shared.d.ts"],
  anthropic: ["@anthropic-ai/sdk", "resources/beta/messages/messages.d.ts"],
  "anthropic-shared": ["@anthropic-ai/sdk", "resources/shared.d.ts"],
  gemini: ["@google/genai", "dist/genai.d.ts"],
} as const;

/**
 * Where an SDK declares a set of alternatives.
 *
 * - `variants`: a union of objects; its members are the values of the field `by` (default `type`), or the names of types
 *   that have none.
 * - `values`: a union of strings, or an enum; its members are the strings.
 * - `fields`: an object; its members are its fields.
 *
 * `path` leads from the type to the type of one of its fields.
 */
export type SdkUnion = {
  readonly declarations: keyof typeof DECLARATIONS;
  /** The name as the file declares it, with its namespaces: `ChatCompletion.Choice`. */
  readonly type: string;
  readonly path?: readonly string[];
  readonly members: "variants" | "values" | "fields";
  readonly by?: string;
};

const getFolder = (name: string): string => {
  const paths = require.resolve.paths(name) ?? [];
  const folder = paths.map((path) => join(path, name)).find((path) => findVersion(path) !== undefined);
  if (folder === undefined) throw new Error(`${name} is not installed`);
  return folder;
};

function findVersion(folder: string): string | undefined {
  try {
    return (require(join(folder, "package.json")) as { version: string }).version;
  } catch {
    return undefined;
  }
}

/** The package and its version, such as `openai 6.49.0`. */
export function getSdk(declarations: SdkUnion["declarations"]): string {
  const [name] = DECLARATIONS[declarations];
  return `${name} ${findVersion(getFolder(name))}`;
}

const project = new Project({ compilerOptions: { strict: true, skipLibCheck: true, types: [] } });

function getFile(declarations: SdkUnion["declarations"]): SourceFile {
  const [name, path] = DECLARATIONS[declarations];
  // A file that was added before is returned.
  return project.addSourceFileAtPath(join(getFolder(name), path));
}

type Scope = Pick<SourceFile, "getTypeAlias" | "getInterface" | "getEnum" | "getModuleOrThrow" | "getClass">;

function findType(declarations: SdkUnion["declarations"], name: string): { readonly type: Type; readonly node: Node } {
  const names = name.split(".");
  const last = names.pop() ?? "";
  let scope: Scope = getFile(declarations);
  for (const part of names) scope = scope.getModuleOrThrow(part);
  const node = scope.getTypeAlias(last) ?? scope.getInterface(last) ?? scope.getEnum(last) ?? scope.getClass(last);
  if (node === undefined) throw new Error(`${DECLARATIONS[declarations].join("/")} declares no ${name}`);
  return { type: node.getType(), node };
}

function getFieldType(type: Type, field: string, node: Node): Type {
  const symbol = type.getNonNullableType().getProperty(field);
  if (symbol === undefined) throw new Error(`${type.getText()} has no field ${field}`);
  const found = symbol.getTypeAtLocation(node).getNonNullableType();
  // A text or a list of parts: the parts are what differs.
  const list = getAlternatives(found).find((alternative) => alternative.isArray());
  return list ? list.getArrayElementTypeOrThrow() : found;
}

const getAlternatives = (type: Type): Type[] => (type.isUnion() ? type.getUnionTypes() : [type]);

/** The strings of a union, without `(string & {})` and what is no string. */
const getStrings = (type: Type): string[] =>
  getAlternatives(type).flatMap((member) =>
    typeof member.getLiteralValue() === "string" ? [member.getLiteralValue() as string] : [],
  );

function getVariantNames(variant: Type, by: string, node: Node): string[] {
  // A value by itself is a variant, too: tool_choice "auto".
  if (variant.isStringLiteral()) return getStrings(variant);
  const symbol = variant.getProperty(by);
  const names = symbol ? getStrings(symbol.getTypeAtLocation(node).getNonNullableType()) : [];
  return names.length > 0 ? names : [variant.getSymbol()?.getName() ?? variant.getText()];
}

/** The members that the SDK declares, each once, in alphabetical order. Throws if the declaration is not found. */
export function listMembers({ declarations, type: name, path = [], members, by = "type" }: SdkUnion): string[] {
  const found = findType(declarations, name);
  const type = path.reduce((parent, field) => getFieldType(parent, field, found.node), found.type).getNonNullableType();
  const listed = {
    variants: () => getAlternatives(type).flatMap((variant) => getVariantNames(variant, by, found.node)),
    values: () => getStrings(type),
    fields: () => type.getProperties().map((property) => property.getName()),
  }[members]();
  return [...new Set(listed)].sort();
}
