/** Strings and structural characters of a JSON document. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/** A duplicate key in the outermost object of a valid JSON document, where the first entry would silently be lost. */
export function findRepeatedKey(json: string): string | undefined {
  const seen = new Set<string>();
  let depth = 0;
  let last = "";
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (token === ":" && depth === 1) {
      const key = JSON.parse(last) as string;
      if (seen.has(key)) return key;
      seen.add(key);
    }
    last = token;
  }
  return undefined;
}
