import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type DefaultTheme, defineConfig } from "vitepress";

const ROOT = resolve(import.meta.dirname, "../..");

const item = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

/** The pages of a folder that may hold any number of them. */
function listPages(folder: string): DefaultTheme.SidebarItem[] {
  const path = join(ROOT, folder);
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(".md") && name !== "index.md") : [];
  return names.toSorted().map((name) => {
    const title = /^# (.+)$/m.exec(readFileSync(join(path, name), "utf8"))?.[1] ?? name;
    return item(title, `/${folder}/${name.replace(/\.md$/, "")}`);
  });
}

const clients = listPages("docs/clients");

const SIDEBAR: DefaultTheme.SidebarItem[] = [
  { text: "Start", items: [item("Quick start", "/docs/quick-start")] },
  {
    text: "Call models",
    items: [
      item("Overview", "/docs/api/"),
      item("Examples", "/docs/api/examples"),
      item("Streaming", "/docs/api/streaming"),
      item("Limits and headers", "/docs/api/limits"),
      item("Errors", "/docs/api/errors"),
      item("Error codes", "/docs/reference/model-errors"),
      item("All calls", "/docs/reference/model-calls"),
    ],
  },
  { text: "Clients", items: [item("Overview", "/docs/clients/"), ...clients] },
  {
    text: "Administer",
    items: [
      item("Overview", "/docs/admin/"),
      item("Channels by provider", "/docs/admin/channels"),
      item("Prices and costs", "/docs/admin/prices"),
      item("Groups", "/docs/admin/groups"),
      item("Payments", "/docs/admin/payments"),
      item("Sign-in providers", "/docs/admin/sign-in"),
      item("OIDC tokens", "/docs/admin/oidc-tokens"),
      item("Channel types", "/docs/reference/channel-types"),
      item("Options", "/docs/reference/options"),
      item("Calls of /api", "/docs/reference/console-calls"),
      item("Error codes of /api", "/docs/reference/console-errors"),
    ],
  },
  {
    text: "Operate",
    items: [
      item("Overview", "/docs/operations/"),
      item("Deploy", "/docs/operations/deploy"),
      item("Scale", "/docs/operations/scale"),
      item("Declared configuration", "/docs/operations/declared"),
      item("Moving from LiteLLM", "/docs/operations/litellm"),
      item("Upgrade", "/docs/operations/upgrade"),
      item("Back up", "/docs/operations/backup"),
      item("The Helm chart", "/deploy/README"),
      item("Tests of the chart", "/docs/operations/chart-tests"),
      item("Sizing", "/deploy/SCALING"),
      item("Runbooks", "/docs/reference/runbooks"),
      item("Metrics", "/docs/reference/metrics"),
      item("Environment variables", "/docs/reference/environment"),
      item("Performance", "/docs/performance"),
    ],
  },
  {
    text: "Contribute",
    collapsed: true,
    items: [
      item("Overview", "/docs/contributing"),
      item("Architecture", "/docs/architecture"),
      item("Model API", "/docs/model-api"),
      item("Data", "/docs/data"),
      item("Recipes", "/docs/recipes"),
      item("Decisions", "/docs/decisions/README"),
      item("Coverage of the formats", "/docs/dialect-coverage"),
      item("Glossary", "/docs/glossary"),
      item("Language guide", "/docs/style"),
    ],
  },
];

const CHINESE_SIDEBAR: DefaultTheme.SidebarItem[] = [
  { text: "开始", items: [item("快速开始", "/docs/zh/quick-start")] },
  {
    text: "调用模型",
    items: [
      item("概览", "/docs/zh/api/"),
      item("示例", "/docs/zh/api/examples"),
      item("流式", "/docs/zh/api/streaming"),
      item("限制与请求头", "/docs/zh/api/limits"),
      item("错误", "/docs/zh/api/errors"),
      item("错误码", "/docs/zh/reference/model-errors"),
    ],
  },
  { text: "English", items: [item("All pages", "/docs/quick-start")] },
];

type Token = { type: string; tag: string; attrs: [string, string][] | null; children: Token[] | null };
type Markdown = { core: { ruler: { push: (name: string, rule: (state: State) => void) => void } } };
type State = { readonly tokens: Token[]; readonly env: { readonly path?: string } };

/** Whether a link leads to a file or folder of the repository that is no page, such as `services/relay`. */
function isSource(link: string, page: string): boolean {
  if (/^(?:[a-z]+:|#)|\.md(?:#|$)/.test(link)) return false;
  const path = link.replace(/[#?].*$/, "");
  return existsSync(path.startsWith("/") ? join(ROOT, path) : resolve(dirname(page), path));
}

/** Shows links to source files as text: the site has pages only. */
function unlinkSources(markdown: Markdown): void {
  markdown.core.ruler.push("unlink_sources", ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isInside = false;
      for (const token of children ?? []) {
        const link = token.attrs?.find(([name]) => name === "href")?.[1] ?? "";
        if (token.type === "link_open") isInside = isSource(link, env.path ?? "");
        if (!isInside || !/^link_(?:open|close)$/.test(token.type)) continue;
        const isEnd = token.type === "link_close";
        Object.assign(token, { type: isEnd ? "span_close" : "span_open", tag: "span", attrs: null });
        if (isEnd) isInside = false;
      }
    }
  });
}

// vitepress reads the default export.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  title: "Turnpike",
  description: "An open-source gateway that resells access to AI models",
  // READMEs next to the code are pages too, so that links between them work.
  srcDir: "..",
  outDir: join(ROOT, "docs/.vitepress/dist"),
  cacheDir: join(ROOT, ".turnpike/vitepress"),
  srcExclude: ["**/node_modules/**", ".turnpike/**", "**/dist/**", "data/**", ".git/**"],
  rewrites: { "docs/index.md": "index.md" },
  cleanUrls: true,
  markdown: { html: false, config: (markdown) => unlinkSources(markdown as unknown as Markdown) },
  ignoreDeadLinks: "localhostLinks",
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Call models", link: "/docs/api/" },
      { text: "Clients", link: "/docs/clients/" },
      { text: "Administer", link: "/docs/admin/" },
      { text: "Operate", link: "/docs/operations/" },
      { text: "中文", link: "/docs/zh/quick-start" },
    ],
    sidebar: { "/docs/zh/": CHINESE_SIDEBAR, "/": SIDEBAR },
    outline: [2, 3],
  },
});
