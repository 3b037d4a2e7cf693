/** `JSON.rawJSON` of ECMAScript, which TypeScript's library does not declare yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/**
 * An integer in decimal text as a number of the JSON response, with all its digits: a number of JavaScript would lose some above
 * 2^53. "" (of a service of the previous version) is 0.
 */
export const toExactNumber = (text: string): number => rawJSON(text === "" ? "0" : text) as number;
