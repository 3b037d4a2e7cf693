import type {
  RehearsedModel,
  RehearsedUser,
  RehearsalStep,
  SkippedCalls,
} from "@turnpike/contract/api/prices/rehearsal";

export type Sum = Omit<RehearsedModel, "model" | "group">;

const FIELDS = [
  "calls",
  "quota",
  "current_quota",
  "proposed_quota",
  "costed_calls",
  "cost",
  "costed_current_quota",
  "costed_proposed_quota",
] as const satisfies readonly (keyof Sum)[];

/** The sums of the steps so far. */
export type RehearsalSums = {
  readonly rows: number;
  readonly models: ReadonlyMap<string, RehearsedModel>;
  readonly users: ReadonlyMap<number, RehearsedUser>;
  readonly skipped: ReadonlyMap<string, SkippedCalls>;
};

export const NO_SUMS: RehearsalSums = { rows: 0, models: new Map(), users: new Map(), skipped: new Map() };

const addSums = <Row extends Sum>(before: Row | undefined, row: Row): Row =>
  before ? { ...row, ...Object.fromEntries(FIELDS.map((field) => [field, before[field] + row[field]])) } : row;

function addAll<Key, Row>(
  before: ReadonlyMap<Key, Row>,
  rows: readonly Row[],
  { getKey, add }: { getKey: (row: Row) => Key; add: (known: Row | undefined, row: Row) => Row },
): ReadonlyMap<Key, Row> {
  const next = new Map(before);
  for (const row of rows) next.set(getKey(row), add(next.get(getKey(row)), row));
  return next;
}

/** The sums with those of another step. */
export function addStep(before: RehearsalSums, step: RehearsalStep): RehearsalSums {
  return {
    rows: before.rows + step.rows,
    models: addAll(before.models, step.models, { getKey: ({ model, group }) => `${group}\n${model}`, add: addSums }),
    users: addAll(before.users, step.users, { getKey: ({ user_id: id }) => id, add: addSums }),
    skipped: addAll(before.skipped, step.skipped, {
      getKey: ({ model, reason }) => `${reason}\n${model}`,
      add: (known, row) => (known ? { ...row, calls: known.calls + row.calls, quota: known.quota + row.quota } : row),
    }),
  };
}

/** How much more a row costs at the proposed prices than at those in force. */
export const getChange = ({ proposed_quota: proposed, current_quota: current }: Sum): number => proposed - current;

/** What calls earn at the proposed prices above their cost; undefined where no cost is known. */
export const getMargin = (sum: Sum): number | undefined =>
  sum.costed_calls === 0 ? undefined : sum.costed_proposed_quota - sum.cost;

/** All rows of one kind added up, and those that rise and fall. */
export function sumUp(rows: readonly Sum[]) {
  const changes = rows.map(getChange);
  const [more, less] = [changes.filter((change) => change > 0), changes.filter((change) => change < 0)];
  const add = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  return {
    calls: add(rows.map(({ calls }) => calls)),
    quota: add(rows.map(({ quota }) => quota)),
    current: add(rows.map(({ current_quota: current }) => current)),
    proposed: add(rows.map(({ proposed_quota: proposed }) => proposed)),
    costedCalls: add(rows.map((row) => row.costed_calls)),
    margin: {
      current: add(rows.map((row) => row.costed_current_quota - row.cost)),
      proposed: add(rows.map((row) => row.costed_proposed_quota - row.cost)),
    },
    more: { count: more.length, quota: add(more) },
    less: { count: less.length, quota: add(less) },
  };
}
