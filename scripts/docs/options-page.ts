import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type OptionDefinition, OPTIONS } from "../../services/contract/src/options/option-definitions.ts";
import { code, page, table } from "./markdown.ts";

type OptionText = { readonly key: string; readonly section: string; readonly label: string; readonly help: string };

const WEB = join(import.meta.dirname, "../../web");

/** The English texts of the console by their source sentence. */
function readEnglish(): Map<string, string> {
  const folder = join(WEB, "src/locales/en");
  return new Map(
    readdirSync(folder).flatMap((name) =>
      Object.entries(JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, string>),
    ),
  );
}

/** Options without a field in the console. */
const OTHERS: Readonly<Record<string, string>> = {
  DataExportInterval: "Accepted for old clients, without effect.",
  FileUploadPermission: "Accepted for old clients, without effect.",
  FileDownloadPermission: "Accepted for old clients, without effect.",
  ImageUploadPermission: "Accepted for old clients, without effect.",
  ImageDownloadPermission: "Accepted for old clients, without effect.",
  SafeCheckExemptEnabled: "Accepted for old clients, without effect.",
  SafeCheckExemptGroup: "Accepted for old clients, without effect.",
  CatalogueRules: "Prices taken over from a catalogue; written when one is applied.",
  CatalogueDate: "The date of the catalogue that was applied.",
};

const DEFAULT_MAX_CHARS = 80;

function toValues({ type, min, max, choices, shape, format, maxLength, secret }: OptionDefinition): string {
  if (secret) return "secret text, write-only";
  if (choices) return choices.map(code).join(", ");
  const from = min === undefined ? "" : ` from ${min}`;
  const to = max === undefined || max === Number.MAX_SAFE_INTEGER ? "" : ` to ${max}`;
  const kind = type === "json" ? `JSON ${shape ?? ""}` : type;
  return `${kind}${from}${to}${format ? ` (${format})` : ""}${maxLength ? `, at most ${maxLength} characters` : ""}`;
}

function toDefault({ default: value }: OptionDefinition): string {
  if (value === "") return "empty";
  return value.length > DEFAULT_MAX_CHARS || value.includes("\n") ? "see the settings page" : code(value);
}

/** Every option: key, label, effect, values, default; by the sections of the settings page. */
export async function createOptionsPage(): Promise<string> {
  // The console's code has a compiler setting of its own.
  const file = join(WEB, "scripts/option-texts.ts");
  const { listOptionTexts } = (await import(file)) as {
    listOptionTexts: (english: ReadonlyMap<string, string>) => OptionText[];
  };
  const shown = listOptionTexts(readEnglish());
  const rest = Object.keys(OPTIONS)
    .filter((key) => !shown.some((text) => text.key === key))
    .map((key) => ({ key, section: "Not on the settings page", label: "", help: OTHERS[key] ?? "" }));
  const all = [...shown, ...rest];
  const definitions: Readonly<Record<string, OptionDefinition>> = OPTIONS;
  const toRow = ({ key, label, help }: OptionText): string[] => {
    const definition = definitions[key];
    if (!definition) throw new Error(`the console shows ${key}, which is no option`);
    const needs = definition.needs ? ` Needs ${definition.needs.map(code).join(", ")}.` : "";
    return [code(key), label, `${help}${needs}`, toValues(definition), toDefault(definition)];
  };
  const sections = [...new Set(all.map(({ section }) => section))].map((section) =>
    [
      `## ${section}`,
      table(
        ["Option", "Label", "Effect", "Values", "Default"],
        all.filter((text) => text.section === section).map(toRow),
      ),
    ].join("\n\n"),
  );
  return page(
    "Options",
    `Every setting of the site, by the sections of the console's settings page. An administrator changes them there or with \`PUT /api/option/\`; \`SecretOptionsRootOnly\` and options that can run code or reveal data are for root only. A change is in force on every service within a second, or within a minute when a notice is lost.`,
    ...sections,
  );
}
