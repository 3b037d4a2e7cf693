import type { MailParts } from "./mail-text.ts";

export type Values<Name extends string> = Readonly<Record<Name, string>>;
export type Template<Name extends string> = {
  readonly needs: readonly Name[];
  readonly zh: (values: Values<Name | "system_name">) => MailParts;
  readonly en: (values: Values<Name | "system_name">) => MailParts;
};

/** A template whose values are checked against the names that it needs. */
export const template = <Name extends string>(parts: Template<Name>): Template<Name> => parts;
export const paragraph = (text: string) => ({ kind: "paragraph", text }) as const;
