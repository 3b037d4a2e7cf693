import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { expect, it } from "vitest";
import { CHAT_FIELDS, GROUP_FIELDS } from "../lists/list-fields.ts";
import { FALLBACK_FIELDS, PRICE_FIELDS, RULE_FIELDS } from "../prices/price-fields.ts";
import * as models from "./model-panels.ts";
import * as logs from "./operation-log-panels.ts";
import * as operation from "./operation-panels.ts";
import * as quota from "./operation-quota-panels.ts";
import * as other from "./other-panels.ts";
import * as routing from "./operation-routing-panels.ts";
import * as signIn from "./sign-in-panels.ts";
import * as system from "./system-panels.ts";

/** Kept for old clients that set them; they have no effect. */
const WITHOUT_SCREEN: readonly OptionKey[] = [
  "DataExportInterval",
  "FileUploadPermission",
  "FileDownloadPermission",
  "ImageUploadPermission",
  "ImageDownloadPermission",
  "SafeCheckExemptEnabled",
  "SafeCheckExemptGroup",
  // Written by applying a catalogue.
  "CatalogueRules",
  "CatalogueDate",
];

it("shows every option of the registry, each in one place", () => {
  const panels = [logs, models, operation, quota, other, routing, signIn, system].flatMap((group) =>
    Object.values(group),
  );
  const fields = [
    ...panels.flatMap((panel) => panel.fields),
    ...PRICE_FIELDS,
    ...RULE_FIELDS,
    ...FALLBACK_FIELDS,
    ...GROUP_FIELDS,
    ...CHAT_FIELDS,
  ];
  const shown = [...fields.map(({ key }) => key), ...WITHOUT_SCREEN].toSorted();
  expect(shown).toEqual(Object.keys(OPTIONS).toSorted());
});
