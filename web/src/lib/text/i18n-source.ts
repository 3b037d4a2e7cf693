/** Marks a source sentence that is translated where it is shown, so that the locale test finds it. */
export const text = <const Source extends string>(source: Source): Source => source;
