// Builds the console without writing it and prints how much script (gzip) each page loads before it is idle. Fails above a budget.
// It runs in Node and never reaches the browser.
// oxlint-disable no-restricted-imports, no-console
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";

const WEB = resolve(import.meta.dirname, "..");
/**
 * Limits in kB. Targets are 150 for sign-in and 260 for lists: React, router and query client alone are 131, TanStack Table and Virtual
 * add 26, React Hook Form with `zod/mini` adds 31 to the pages of a first visit.
 */
const BUDGETS = { signIn: 215, page: 280, channelEditor: 330 } as const;
const SIGN_IN: readonly string[] = ["/login", "/register", "/reset", "/oauth/github"];
const CHANNEL_EDITOR = "/admin/channels/new";

const getBudget = (page: string): number =>
  SIGN_IN.includes(page) ? BUDGETS.signIn : page === CHANNEL_EDITOR ? BUDGETS.channelEditor : BUDGETS.page;

// What is loaded beside the entry: the shell around most pages, the page, and English for those who chose it.
const ENGLISH = "src/locales/english.ts";
const SHELL = "src/app/shell/app-shell.tsx";
const PAGES: Readonly<Record<string, readonly string[]>> = {
  "/login": ["src/features/sign-in/login-page.tsx"],
  "/register": ["src/features/sign-in/register-page.tsx"],
  "/reset": ["src/features/sign-in/reset-page.tsx"],
  "/oauth/github": ["src/features/sign-in/oauth-page.tsx"],
  "/setup": ["src/features/setup/setup-page.tsx"],
  "/pricing": [SHELL, "src/features/pricing/pricing-page.tsx"],
  "/app/dashboard": [SHELL, "src/features/dashboard/dashboard-page.tsx"],
  "/playground": [SHELL, "src/features/playground/playground-page.tsx", "src/locales/en/playground.json"],
  "/app/tokens": [SHELL, "src/features/tokens/tokens-page.tsx"],
  "/app/logs/api-usage": [SHELL, "src/features/logs/logs-page.tsx"],
  "/app/wallet": [SHELL, "src/features/billing/wallet/wallet-page.tsx", "src/locales/en/billing.json"],
  "/app/me": [SHELL, "src/features/profile/profile-page.tsx", "src/locales/en/profile.json"],
  "/app/inbox": [SHELL, "src/features/inbox/inbox-page.tsx"],
  "/admin/channels": [SHELL, "src/features/channels/channels-page.tsx"],
  [CHANNEL_EDITOR]: [
    SHELL,
    "src/features/channels/channels-page.tsx",
    "src/features/channels/channel-editor.tsx",
    "src/locales/en/channels.json",
    "src/locales/en/channel-editor.json",
  ],
  "/admin/coupons": [SHELL, "src/features/redemption-codes/redemption-codes-page.tsx"],
  "/admin/messages": [SHELL, "src/features/messages/messages-page.tsx", "src/locales/en/messages.json"],
  "/admin/orders": [SHELL, "src/features/billing/orders/orders-page.tsx", "src/locales/en/billing.json"],
  "/admin/ledger": [SHELL, "src/features/billing/ledger/ledger-page.tsx", "src/locales/en/billing.json"],
  "/admin/audit": [SHELL, "src/features/audit/audit-page.tsx", "src/locales/en/audit.json"],
  "/admin/users": [SHELL, "src/features/users/users-page.tsx"],
  "/": [SHELL, "src/features/content/home-page.tsx"],
  "/about": [SHELL, "src/features/content/about-page.tsx"],
  "/admin/settings": [SHELL, "src/features/settings/settings-page.tsx", "src/locales/en/settings.json"],
};

async function buildChunks(): Promise<Map<string, Rolldown.OutputChunk>> {
  const built = await build({ root: WEB, logLevel: "error", build: { write: false } });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ("output" in one ? one.output : []));
  return new Map(outputs.flatMap((part) => (part.type === "chunk" ? [[part.fileName, part] as const] : [])));
}

const chunks = await buildChunks();

/** The chunk that holds a source file and the chunks it cannot run without. */
function fileNamesOf(source: string): string[] {
  const path = join(WEB, source);
  const first = [...chunks.values()].find(({ moduleIds }) => moduleIds.includes(path));
  if (!first) throw new Error(`the build has no ${source}`);
  const needed = new Set([first.fileName]);
  for (const fileName of needed) for (const imported of chunks.get(fileName)?.imports ?? []) needed.add(imported);
  return [...needed];
}

const kilobytesOf = (fileName: string): number => gzipSync(chunks.get(fileName)?.code ?? "").length / 1000;

let tooLarge = false;
for (const [page, sources] of Object.entries(PAGES)) {
  const fileNames = new Set(["src/main.tsx", ENGLISH, ...sources].flatMap(fileNamesOf));
  const kilobytes = [...fileNames].reduce((total, fileName) => total + kilobytesOf(fileName), 0);
  tooLarge ||= kilobytes > getBudget(page);
  console.log(`${kilobytes.toFixed(1).padStart(6)} kB  ${page}  (${fileNames.size} files)`);
}
const charts = [...chunks.keys()].filter((fileName) => fileName.includes("/charts-"));
console.log(
  `${charts
    .reduce((total, fileName) => total + kilobytesOf(fileName), 0)
    .toFixed(1)
    .padStart(6)} kB  charts, after the first paint`,
);
if (tooLarge) {
  console.error("A page loads more script than its budget.");
  process.exitCode = 1;
}
