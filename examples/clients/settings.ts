/** Where the examples call, read from the environment, and the prompt of the command line. */
export const URL = process.env["TURNPIKE_URL"] ?? "http://localhost:3001";
export const KEY = process.env["TURNPIKE_API_KEY"] ?? "";
export const PROMPT = process.argv[2] ?? "What time is it in Lagos?";
/** A field of a request that adds the cost in dollars to the usage of its response. */
export const WITH_COST = { usage: { include: true } };
/** A conversation ends after so many calls, whatever the model does. */
export const CALLS_MAX = 5;

if (KEY === "") {
  process.stderr.write("set TURNPIKE_API_KEY to an API token of the console\n");
  process.exit(1);
}
