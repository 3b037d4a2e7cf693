import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { PRICE_KEYS } from "@turnpike/contract/options/price-options";
import { SetupError } from "../../process/setup-error.ts";
import { findFormat } from "./dump-text.ts";
import { type FamilyContext, readFamilyInstall } from "./family-install.ts";
import { importCodes } from "../tables/import-codes.ts";
import type { ImportContext } from "../tables/import-context.ts";
import { importLogs } from "../tables/import-logs.ts";
import { readStoredOptions } from "../tables/import-options.ts";
import type { InstallReader, SourceId } from "./install-reader.ts";
import { readConfigFile } from "../litellm/deployments.ts";
import { readLiteLlmInstall } from "../litellm/litellm-install.ts";
import { openLiteLlmSource } from "../litellm/litellm-source.ts";
import { openSource } from "./open-source.ts";
import type { ImportSettings } from "../import-settings.ts";
import { getDialect } from "./source-rows.ts";

type Ids = ReadonlyMap<SourceId, number>;
type Imported = { readonly channels: Ids; readonly users: Ids; readonly tokens: Ids };
type RunTable = <Result>(table: string, read: () => Promise<Result>) => Promise<Result>;

/** A source of any product. */
export type Install = {
  readonly product: string;
  readonly createReader: (
    target: Pick<ImportContext, "connection" | "masterKey" | "nowSeconds" | "report">,
  ) => Promise<InstallReader>;
  /** Imports the tables that only some products have. */
  readonly importMore: (context: ImportContext, imported: Imported, runTable: RunTable) => Promise<void>;
  readonly close: () => void;
};

const LITELLM_OPTIONS = { configPath: "--config", openingBalance: "--balance" } as const;

async function openFamily(settings: ImportSettings, format: "sqlite" | "mysql"): Promise<Install> {
  for (const [name, option] of Object.entries(LITELLM_OPTIONS))
    if (settings[name as keyof typeof LITELLM_OPTIONS] !== undefined)
      throw new SetupError(`${option} is for a dump of LiteLLM.`);
  const source = await openSource(settings.path, format, settings.withLogs);
  const dialect = getDialect(source);
  return {
    product: dialect,
    createReader: ({ masterKey, nowSeconds }) => Promise.resolve(readFamilyInstall(source, masterKey, nowSeconds)),
    async importMore(base, { channels, users, tokens }, runTable) {
      const context: FamilyContext = { ...base, source, dialect };
      await runTable("codes", () => importCodes(context, users));
      if (settings.withLogs) await runTable("logs", () => importLogs(context, { users, tokens, channels }));
    },
    close: source.close,
  };
}

async function openLiteLlm(settings: ImportSettings): Promise<Install> {
  if (settings.withLogs)
    throw new SetupError("LiteLLM's calls are not imported. Compare their prices with --shadow-report FILE.");
  const { configPath, openingBalance, isDryRun } = settings;
  const config = configPath === undefined ? undefined : readConfigFile(configPath);
  const source = await openLiteLlmSource(settings.path);
  return {
    product: "litellm",
    async createReader({ connection, masterKey, nowSeconds, report }) {
      const stored = await readStoredOptions({ connection });
      const rows = [...stored].map(([key, value]) => ({ key, value }));
      const prices = Object.fromEntries(PRICE_KEYS.flatMap((key) => (stored.has(key) ? [[key, stored.get(key)]] : [])));
      const quotaPerUnit = optionsInForce(rows).number("QuotaPerUnit");
      const target = { masterKey, nowSeconds, quotaPerUnit, prices, report };
      return readLiteLlmInstall(source, { config, openingBalance, isDryRun, env: process.env, ...target });
    },
    importMore: () => Promise.resolve(),
    close: source.close,
  };
}

/** Opens a dump of any product. Throws SetupError if it is none, or is broken. */
export async function openInstall(settings: ImportSettings): Promise<Install> {
  const format = await findFormat(settings.path);
  return format === "postgres" ? openLiteLlm(settings) : openFamily(settings, format);
}
