import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { getResponse, MESSAGE } from "./response-bodies.ts";

const QUESTION = { role: "user", content: "Hi" };
const getBody = (...items: readonly object[]) => ({ model: "m", input: [QUESTION, ...items] });

const SHELL_CALL = { type: "shell_call", call_id: "call_1", action: { commands: ["ls"] }, status: "completed" };
const ofShell = (outcome: object | undefined) =>
  getBody(SHELL_CALL, {
    type: "shell_call_output",
    call_id: "call_1",
    output: [{ stdout: "a.txt", stderr: "", ...(outcome ? { outcome } : {}) }],
  });

/** How a command of a shell ended. */
export const SHELL_OUTCOMES: CoverageTable = {
  title: "Responses: outcomes of shell commands",
  dialect: "openai-responses",
  union: {
    declarations: "openai-responses",
    type: "ResponseFunctionShellCallOutputContent",
    path: ["outcome"],
    members: "variants",
  },
  trial: { kind: "request", without: ofShell(undefined), place: ofShell },
  rows: {
    exit: { example: { type: "exit", exit_code: 2 }, ...everywhere(converted("the exit code, unless it is 0")) },
    timeout: { example: { type: "timeout" }, ...everywhere(converted("`timed out`")) },
  },
};

/** What a patch does. */
export const PATCH_OPERATIONS: CoverageTable = {
  title: "Responses: operations of patches",
  dialect: "openai-responses",
  union: {
    declarations: "openai-responses",
    type: "ResponseInputItem.ApplyPatchCall",
    path: ["operation"],
    members: "variants",
  },
  trial: {
    kind: "request",
    without: getBody(),
    place: (operation: object) =>
      getBody({ type: "apply_patch_call", call_id: "call_1", status: "completed", operation }),
  },
  rows: {
    create_file: {
      example: { type: "create_file", path: "a.txt", diff: "+a" },
      ...everywhere(converted("the arguments of the call")),
    },
    update_file: {
      example: { type: "update_file", path: "a.txt", diff: "@@\n-a\n+b" },
      ...everywhere(converted("the arguments of the call")),
    },
    delete_file: {
      example: { type: "delete_file", path: "a.txt" },
      ...everywhere(converted("the arguments of the call")),
    },
  },
};

const FREE = everywhere(leftOut("it opens a page that a search found, which is not charged"));

/** What a web search of the provider did. */
export const SEARCH_ACTIONS: CoverageTable = {
  title: "Responses: actions of web searches",
  dialect: "openai-responses",
  union: {
    declarations: "openai-responses",
    type: "ResponseFunctionWebSearch",
    path: ["action"],
    members: "variants",
  },
  trial: {
    kind: "response",
    without: getResponse(),
    place: (action: object) =>
      getResponse({ output: [{ type: "web_search_call", id: "ws_1", status: "completed", action }, MESSAGE] }),
  },
  rows: {
    search: { example: { type: "search", query: "weather" }, ...everywhere(converted("a search that is charged")) },
    open_page: { example: { type: "open_page", url: "https://a.example" }, ...FREE },
    find_in_page: { example: { type: "find_in_page", url: "https://a.example", pattern: "rain" }, ...FREE },
  },
};
