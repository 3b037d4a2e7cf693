/** A word that the language guide (docs/style.md) replaces, and what it is replaced by. */
export type Term = { readonly pattern: RegExp; readonly instead: string };

const term = (pattern: RegExp, instead: string): Term => ({ pattern, instead });

/** The left column of the guide's table of terms. */
export const TERMS: readonly Term[] = [
  term(/\banswer(?:s|ed|ing)?\b/i, "response, respond"),
  // Errors send a user to an administrator in these words.
  term(/\bask(?:s|ed|ing)?\b(?! (?:an|the|your) administrator)/i, "request, query"),
  term(/\b(?:tell|tells|told|telling|say|says|said|saying)\b/i, "report, return, contain, show, name"),
  term(/\b(?:wish(?:es|ed)?|wants?|wanted|lots?)\b/i, "preference, score, requested, expected"),
  term(/\b(?:people|somebody|nobody|everybody|anybody)\b/i, "the users or callers that are meant"),
  term(/\b(?:comes whole|whole (?:answers?|repl(?:y|ies)))\b/i, "non-streaming response"),
  term(/\b(?:caller|client) (?:left|is gone|has gone)\b/i, "the client disconnected"),
  term(/\b(?:is|are|was|were|been) (?:gone|away|well)\b/i, "deleted, unavailable, down, healthy"),
  term(/\bthoughts?\b/i, "reasoning"),
  term(/\b(?:pictures?|drawings?|films?|songs?|sounds)\b/i, "image, video, audio, music task"),
  term(/\blive conversations?\b/i, "Realtime session"),
  term(/\b(?:spoken|speaks?)\b/i, "dialect, route, protocol"),
  term(/\b(?:noted|notes that it|takes? note)\b/i, "recorded, appended"),
  term(/\b(?:the books|booked|booking)\b/i, "ledger, reconciliation, posting"),
  term(/\b(?:gives?|given|giving) back\b/i, "release, refund, return"),
  term(/\bput aside\b/i, "dead-letter"),
  term(/\b(?:leave|left) alone\b/i, "cooldown"),
  term(/\bon trial\b/i, "half-open"),
  term(/\bample balances?\b/i, "high balance"),
  term(/\bbeside\b/i, "next to, in addition to, non-chat"),
  term(
    /\b(?:hastens?|reckons?|mends?|mended|dearest|purse|keepers?)\b/i,
    "speed up, calculate, fix, most expensive, account, owner",
  ),
];

/** Texts that contain a word and stay: prompts to models, texts that models write, names of others. By a part of the file's path. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "/sdk-coverage/": [
    "The user asked for the time.",
    "The clock says so.",
    "It asks for an attack.",
    "Say noon.",
    "**An answer**",
    "They say hi.",
  ],
  "formats/anthropic/claude-response-tool.ts": ["Gives the answer to the user."],
  "gemini-generate/gemini-request.ts": ["Answer with exactly one of these"],
  "dialects/shared/summary.ts": ["answer", "the user wants"],
  "providers/shared/json-instruction.ts": ["Answer with one"],
  "docs/api/examples.md": ["Say hello", "Say hi"],
  "features/start/start-api.ts": ["Say hello"],
  "first-start/newcomer.ts": ['"nobody"'],
};
