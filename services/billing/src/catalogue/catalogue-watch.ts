import { type OptionsInForce, optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import type { PriceChange } from "@turnpike/contract/options/price-differences";
import type { PriceRule, PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import { AppError } from "@turnpike/shared/errors/app-error";
import { catalogueProposed } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { PriceBook } from "../prices/price-book.ts";
import { getPriceFactor } from "../prices/price-factor.ts";
import type { Collections } from "../store/collections.ts";
import type { CatalogueProposalDoc } from "../store/job-documents.ts";
import { QUERY_TIMEOUT_MS } from "../store/query.ts";
import { fetchCatalogue } from "./catalogue-fetch.ts";
import { completeStatedPrices, findPriceDifferences } from "./stated-prices.ts";
import { type CatalogueSource, readCatalogue } from "@turnpike/shared/catalogue/catalogue-formats";

type Deps = {
  readonly book: Pick<PriceBook, "snapshot" | "change">;
  readonly collections: Pick<Collections, "state">;
  readonly options: () => OptionsInForce;
  readonly guard: Pick<PrivateAddressGuard, "fetch">;
  readonly bus: Pick<Bus, "notify">;
  readonly nowMs: () => number;
};

const DAY_MS = 86_400_000;
/** After a catalogue that could not be read. */
const RETRY_MS = 3_600_000;
/** Who the history names for what the schedule applies. */
const SCHEDULE = { userId: 0, username: "catalogue", role: 0, address: "" } as const;

type Changed = { readonly model: string; readonly rule: PriceRule; readonly factor: number };

/** The models whose price in the catalogue is new or another one. Factor 0 means that there was none. */
const findChanges = (inForce: PriceRules, fetched: PriceRules): readonly Changed[] =>
  findPriceDifferences(inForce, fetched).flatMap(({ model, before, after: rule }) =>
    rule ? [{ model, rule, factor: before ? getPriceFactor(before, rule) : 0 }] : [],
  );

const toAdoption = (changes: readonly Changed[], nowMs: number): readonly PriceChange[] => [
  { key: "CatalogueRules", set: Object.fromEntries(changes.map(({ model, rule }) => [model, rule])), remove: [] },
  { key: "CatalogueDate", value: new Date(nowMs).toISOString().slice(0, "2026-11-24".length) },
];

/** The schedule's settings: where the catalogue comes from, and whether changes within a factor are applied. */
function readSettings(options: OptionsInForce) {
  const schedule = options.text("CatalogueSchedule");
  return {
    isOn: schedule !== "off",
    applies: schedule === "apply",
    factor: options.number("CatalogueApplyFactor"),
    source: options.text("CatalogueSource") as CatalogueSource,
    url: options.text("CatalogueUrl"),
  };
}
type Settings = ReturnType<typeof readSettings>;

function isDue(last: CatalogueProposalDoc | undefined, { source, url }: Settings, nowMs: number): boolean {
  if (!last || last.source !== source || last.url !== url) return true;
  return nowMs - last.checkedAtMs >= (last.problem === "" ? DAY_MS : RETRY_MS);
}

const sameCounts = (one: CatalogueProposalDoc, other: CatalogueProposalDoc | undefined): boolean =>
  other !== undefined && one.added === other.added && one.changed === other.changed && one.large === other.large;

/** The differences that are left after changes within the bound are applied, if the option enables it. */
async function compareNow({ book, options, guard, nowMs }: Deps, settings: Settings): Promise<CatalogueProposalDoc> {
  const { source, url, applies, factor } = settings;
  const stated = readCatalogue(source, await fetchCatalogue(guard, source, url));
  const { revision, options: rows } = await book.snapshot();
  const { catalogue } = toPriceTables(optionsInForce(rows));
  const changes = findChanges(catalogue, completeStatedPrices(catalogue, stated));
  const bounded = applies ? changes.filter((one) => one.factor > 0 && one.factor <= factor) : [];
  if (bounded.length > 0)
    // The bound is the operator's confirmation.
    await book.change(SCHEDULE, toAdoption(bounded, nowMs()), { expectedRevision: revision, isConfirmed: true });
  const left = changes.filter((one) => !bounded.includes(one));
  const confirmFactor = options().number("CatalogueConfirmFactor");
  return {
    checkedAtMs: nowMs(),
    source,
    url,
    problem: "",
    added: left.filter((one) => one.factor === 0).length,
    changed: left.filter((one) => one.factor > 0).length,
    large: left.filter((one) => one.factor > confirmFactor).length,
    applied: bounded.length,
  };
}

/** Compares the configured catalogue each day, applies changes if the option enables it, and proposes the rest to administrators. */
export function createCatalogueWatch(deps: Deps) {
  const { collections, options, bus, nowMs } = deps;
  const read = async (): Promise<CatalogueProposalDoc | undefined> =>
    (await collections.state.findOne({ _id: "catalogue" }, { maxTimeMS: QUERY_TIMEOUT_MS }))?.catalogue;
  const write = async (catalogue: CatalogueProposalDoc): Promise<void> => {
    await collections.state.updateOne({ _id: "catalogue" }, { $set: { catalogue } }, { upsert: true });
  };
  return {
    /** The last comparison; undefined while the schedule is off. */
    read: async (): Promise<CatalogueProposalDoc | undefined> =>
      readSettings(options()).isOn ? await read() : undefined,
    /** The job: at most once a day, an hour after a failure. Prices in force stay when the catalogue cannot be read. */
    async check(): Promise<void> {
      const settings = readSettings(options());
      if (!settings.isOn) return;
      const last = await read();
      if (!isDue(last, settings, nowMs())) return;
      const { source, url } = settings;
      try {
        const found = await compareNow(deps, settings);
        await write(found);
        const { added, changed, large, applied } = found;
        if (applied > 0 || (added + changed > 0 && !sameCounts(found, last)))
          bus.notify(catalogueProposed, { source, added, changed, large, applied });
      } catch (error) {
        const { code, params } = error instanceof AppError ? error : { code: "internal", params: {} };
        const problem = JSON.stringify({ code, params });
        const counts = { added: 0, changed: 0, large: 0, applied: 0 };
        await write({ ...counts, ...last, checkedAtMs: nowMs(), source, url, problem });
        throw error;
      }
    },
  };
}
