import { isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";

/** A file's name and text. */
export type SourceFile = { readonly name: string; readonly text: string };

/** One error of a file; `place` is its name with line and column. */
export type Problem = { readonly place: string; readonly message: string };

export type Path = readonly PropertyKey[];

/** A parsed file: its value, its syntax errors, and where a path of the value is. */
export type YamlSource = {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly locate: (path: Path) => string;
};

/** Parses YAML with the places of its nodes. A path that does not exist is where its nearest parent is. */
export function parseYaml({ name, text }: SourceFile): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const toPlace = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const locate = (path: Path): string => {
    for (let length = path.length; length > 0; length--) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return toPlace(node.range[0]);
    }
    return toPlace(0);
  };
  const problems = document.errors.map((error) => ({ place: toPlace(error.pos[0]), message: error.message }));
  return { value: problems.length > 0 ? undefined : document.toJS(), problems, locate };
}

const toPathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : `${text}${text === "" ? "" : "."}${String(part)}`),
    "",
  );

/** The problem at a path of a source, with the path in its text. */
export const toProblem = (source: YamlSource, path: Path, message: string): Problem => ({
  place: source.locate(path),
  message: path.length === 0 ? message : `${toPathText(path)}: ${message}`,
});

/** The problems of a schema's issues: an unknown key is where the key is. */
export const toProblems = (source: YamlSource, error: z.ZodError): Problem[] =>
  error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => toProblem(source, [...issue.path, key], "unknown field"))
      : [toProblem(source, issue.path, issue.message)],
  );
