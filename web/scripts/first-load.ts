// Builds the console without writing it and prints how much script (gzip) each page loads before it is idle. Fails above a budget.
// It runs in Node and never reaches the browser.
// oxlint-disable no-restricted-imports, no-console
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";

const WEB = resolve(import.meta.dirname, "..");
/**
 * Limits in kB. The target for sign-in is 150: React, the router, the query client, i18next and `tailwind-merge` alone are 132,
 * React Hook Form and `zod/mini` add 24.
 */
const BUDGETS = { signIn: 192, page: 260, channelEditor: 330 } as const;
const SIGN_IN: readonly string[] = ["/login", "/register", "/reset", "/oauth/github"];
const CHANNEL_EDITOR = "/admin/channels/new";

const getBudget = (page: string): number =>
  SIGN_IN.includes(page) ? BUDGETS.signIn : page === CHANNEL_EDITOR ? BUDGETS.channelEditor : BUDGETS.page;

/** An area's English, which readers of English load. */
const english = (area: string): string => `src/locales/en/${area}.json`;
const SIGN_IN_TEXTS = english("sign-in");
// What is loaded in addition to the entry: the shell around most pages, and the page.
const SHELL = ["src/app/shell/app-shell.tsx", english("console")];
const PAGES: Readonly<Record<string, readonly string[]>> = {
  "/login": ["src/features/sign-in/login-page.tsx", SIGN_IN_TEXTS],
  "/register": ["src/features/sign-in/register-page.tsx", SIGN_IN_TEXTS],
  "/reset": ["src/features/sign-in/reset-page.tsx", SIGN_IN_TEXTS],
  "/oauth/github": ["src/features/sign-in/oauth-page.tsx", SIGN_IN_TEXTS],
  "/setup": ["src/features/setup/setup-page.tsx", english("setup")],
  "/api-reference": [...SHELL, "src/features/api-reference/reference-page.tsx", english("api-reference")],
  "/pricing": [...SHELL, "src/features/pricing/pricing-page.tsx", english("pricing")],
  "/status": [...SHELL, "src/features/status/status-page.tsx", english("status")],
  "/app/dashboard": [...SHELL, "src/features/dashboard/dashboard-page.tsx", english("dashboard")],
  "/playground": [...SHELL, "src/features/playground/playground-page.tsx", english("playground")],
  "/app/tokens": [...SHELL, "src/features/tokens/tokens-page.tsx", english("tokens")],
  "/app/logs/api-usage": [...SHELL, "src/features/logs/logs-page.tsx", english("logs")],
  "/app/wallet": [...SHELL, "src/features/billing/wallet/wallet-page.tsx", english("billing")],
  "/app/me": [...SHELL, "src/features/profile/profile-page.tsx", english("profile")],
  "/app/inbox": [...SHELL, "src/features/inbox/inbox-page.tsx", english("inbox")],
  "/admin/channels": [...SHELL, "src/features/channels/channels-page.tsx", english("channels")],
  [CHANNEL_EDITOR]: [
    ...SHELL,
    "src/features/channels/channels-page.tsx",
    "src/features/channels/editor/channel-editor.tsx",
    english("channels"),
    english("channel-editor"),
  ],
  "/admin/coupons": [...SHELL, "src/features/redemption-codes/redemption-codes-page.tsx", english("redemption-codes")],
  "/admin/messages": [...SHELL, "src/features/messages/messages-page.tsx", english("messages")],
  "/admin/orders": [...SHELL, "src/features/billing/orders/orders-page.tsx", english("billing")],
  "/admin/ledger": [...SHELL, "src/features/billing/ledger/ledger-page.tsx", english("billing")],
  "/admin/audit": [...SHELL, "src/features/audit/audit-page.tsx", english("audit")],
  "/admin/users": [...SHELL, "src/features/users/users-page.tsx", english("users")],
  "/": [...SHELL, "src/features/content/home-page.tsx"],
  "/about": [...SHELL, "src/features/content/about-page.tsx"],
  "/admin/settings": [...SHELL, "src/features/settings/settings-page.tsx", english("settings")],
};

async function buildChunks(): Promise<Map<string, Rolldown.OutputChunk>> {
  const built = await build({ root: WEB, logLevel: "error", build: { write: false } });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ("output" in one ? one.output : []));
  return new Map(outputs.flatMap((part) => (part.type === "chunk" ? [[part.fileName, part] as const] : [])));
}

const chunks = await buildChunks();

/** The chunk that holds a source file and the chunks it cannot run without. */
function getFileNames(source: string): string[] {
  const path = join(WEB, source);
  const first = [...chunks.values()].find(({ moduleIds }) => moduleIds.includes(path));
  if (!first) throw new Error(`the build has no ${source}`);
  const needed = new Set([first.fileName]);
  for (const fileName of needed) for (const imported of chunks.get(fileName)?.imports ?? []) needed.add(imported);
  return [...needed];
}

const getKilobytes = (fileName: string): number => gzipSync(chunks.get(fileName)?.code ?? "").length / 1000;

let tooLarge = false;
for (const [page, sources] of Object.entries(PAGES)) {
  const fileNames = new Set(["src/main.tsx", english("common"), ...sources].flatMap(getFileNames));
  const kilobytes = [...fileNames].reduce((total, fileName) => total + getKilobytes(fileName), 0);
  tooLarge ||= kilobytes > getBudget(page);
  console.log(`${kilobytes.toFixed(1).padStart(6)} kB  ${page}  (${fileNames.size} files)`);
}
const charts = [...chunks.keys()].filter((fileName) => fileName.includes("/charts-"));
console.log(
  `${charts
    .reduce((total, fileName) => total + getKilobytes(fileName), 0)
    .toFixed(1)
    .padStart(6)} kB  charts, after the first paint`,
);
if (tooLarge) {
  console.error("A page loads more script than its budget.");
  process.exitCode = 1;
}
