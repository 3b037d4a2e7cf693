/** The values of a snippet; `address` has no trailing slash and no version. */
export type SnippetFacts = { readonly address: string; readonly key: string; readonly model: string };

/** One part to copy: a file at a path, shell commands, or a program. */
export type SnippetBlock = {
  /** Where the text belongs: a path that starts with "~", or nothing for commands and programs. */
  readonly path?: string;
  readonly language: "sh" | "json" | "toml" | "yaml" | "python" | "ts";
  readonly code: string;
};

/** How a client is connected, in the order in which its parts are needed. */
export type ClientSnippet = {
  /** Also the name of the client's page in `docs/clients`. */
  readonly id: string;
  readonly label: string;
  readonly blocks: (facts: SnippetFacts) => readonly SnippetBlock[];
};
