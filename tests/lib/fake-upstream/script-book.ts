import { Scenario } from "./scenario.ts";

/** Which calls a scenario applies to; an omitted field matches everything. */
export type Match = { readonly model?: string; readonly key?: string; readonly path?: string };

type Facts = { readonly model: string; readonly key: string | undefined; readonly path: string };
type Page = { readonly match: Match; readonly scenario: Scenario };

const fits = (match: Match, facts: Facts): boolean =>
  (match.model === undefined || match.model === facts.model) &&
  (match.key === undefined || match.key === facts.key) &&
  (match.path === undefined || match.path === facts.path);

/** Selects the scenario for a call: queued ones first, each once and in order; then the newest default one. */
export function createScriptBook() {
  let queued: Page[] = [];
  let standing: Page[] = [];
  return {
    always(match: Match, scenario: Scenario): void {
      standing = [{ match, scenario: Scenario.parse(scenario) }, ...standing];
    },
    next(match: Match, scenarios: readonly Scenario[]): void {
      queued = [...queued, ...scenarios.map((scenario) => ({ match, scenario: Scenario.parse(scenario) }))];
    },
    take(facts: Facts): Scenario {
      const page = queued.find(({ match }) => fits(match, facts));
      queued = queued.filter((other) => other !== page);
      return (page ?? standing.find(({ match }) => fits(match, facts)))?.scenario ?? {};
    },
    /** Deletes the queued scenarios. */
    drop(): void {
      queued = [];
    },
    forget(): void {
      queued = [];
      standing = [];
    },
  };
}
