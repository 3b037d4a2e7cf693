import { readChannel } from "../channel-row.ts";
import type { ImportContext } from "../tables/import-context.ts";
import type { InstallReader } from "./install-reader.ts";
import type { Source } from "./open-source.ts";
import { type Dialect, getDialect, getText } from "./source-rows.ts";
import { createTokenReader } from "../token-row.ts";
import { readUser } from "../user-row.ts";

/** The context of imports that only this family has. */
export type FamilyContext = ImportContext & { readonly source: Source; readonly dialect: Dialect };

/** Reads an install of one-api, new-api or Veloera. */
export function readFamilyInstall(source: Source, masterKey: string, nowSeconds: number): InstallReader {
  const dialect = getDialect(source);
  const readToken = createTokenReader(masterKey);
  return {
    product: dialect,
    *readOptions() {
      for (const row of source.rows("options", "key")) yield { key: getText(row, "key"), value: getText(row, "value") };
    },
    *readChannels() {
      for (const row of source.rows("channels", "id")) yield readChannel(row, dialect, nowSeconds);
    },
    *readUsers() {
      for (const row of source.rows("users", "id")) yield readUser(row, dialect, nowSeconds);
    },
    *readTokens() {
      for (const row of source.rows("tokens", "id")) yield readToken(row);
    },
  };
}
