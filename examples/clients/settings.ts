/** Where the examples call, read from the environment, and the prompt of the command line. */
export const URL = process.env["TURNPIKE_URL"] ?? "http://localhost:3001";
export const KEY = process.env["TURNPIKE_API_KEY"] ?? "";
export const PROMPT = process.argv[2] ?? "What time is it in Lagos?";
/** A conversation ends after so many calls, whatever the model does. */
export const CALLS_MAX = 5;

if (KEY === "") {
  console.error("set TURNPIKE_API_KEY to an API token of the console");
  process.exit(1);
}
