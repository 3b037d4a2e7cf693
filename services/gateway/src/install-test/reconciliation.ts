/** What the site records of the test user. */
export type Reconciliation = {
  readonly rows: readonly { readonly request_id: string; readonly quota: number }[];
  readonly credited: number;
  readonly balance: number;
  readonly spent: number;
};

/** What does not agree between the calls that were made and what the site recorded; empty when every call is paid once. */
export function findDifferences(calls: number, { rows, credited, balance, spent }: Reconciliation): string[] {
  const sum = rows.reduce((total, { quota }) => total + quota, 0);
  const ids = new Set(rows.map((row) => row.request_id));
  return [
    ...(rows.length === calls ? [] : [`${calls} calls were made, the log has ${rows.length}`]),
    ...(ids.size === rows.length ? [] : [`${rows.length - ids.size} calls are in the log more than once`]),
    ...(rows.every(({ quota }) => quota > 0) ? [] : ["a call was not charged"]),
    ...(credited - balance === sum ? [] : [`the balance fell by ${credited - balance}, the log charges ${sum}`]),
    ...(spent === sum ? [] : [`the account has spent ${spent}, the log charges ${sum}`]),
  ];
}
