/** A group in the table; users cannot choose one without a description. */
export type GroupRow = { readonly name: string; readonly ratio: number; readonly description: string | undefined };

type Ratios = Readonly<Record<string, number>>;
type Descriptions = Readonly<Record<string, string>>;

/** One row per group that has a ratio or that users may choose, in the order of the options. */
export const groupRows = (ratios: Ratios, descriptions: Descriptions): GroupRow[] =>
  [...new Set([...Object.keys(ratios), ...Object.keys(descriptions)])].map((name) => ({
    name,
    ratio: ratios[name] ?? 1,
    description: descriptions[name],
  }));

/** The two options' values from the rows. */
export const groupOptions = (
  rows: readonly GroupRow[],
): { readonly ratios: Ratios; readonly descriptions: Descriptions } => ({
  ratios: Object.fromEntries(rows.map(({ name, ratio }) => [name, ratio])),
  descriptions: Object.fromEntries(
    rows.flatMap(({ name, description }) => (description === undefined ? [] : [[name, description]])),
  ),
});
