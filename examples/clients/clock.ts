/** The tool of the examples: the time in a zone of the IANA database, such as "Africa/Lagos". */
export const NAME = "get_time";
export const DESCRIPTION = "Returns the current time in a time zone.";
export const PARAMETERS = {
  type: "object" as const,
  properties: { zone: { type: "string", description: "A name of the IANA database, such as Africa/Lagos" } },
  required: ["zone"],
};

/** Runs the tool; an unknown zone is a result that the model can read, too. */
export function getTime({ zone }: { readonly zone?: unknown }): string {
  try {
    return new Date().toLocaleTimeString("en-GB", { timeZone: String(zone) });
  } catch {
    return `unknown time zone: ${String(zone)}`;
  }
}
