import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type RequestHandler, Router, static as serveStatic } from "express";
import { extendPolicy } from "../http/security/content-security-policy.ts";
import { sendWithEtag } from "../http/etag-response.ts";
import { getCustomCode } from "./custom-code.ts";
import { widgetSources } from "./widget-sources.ts";
import type { SiteOptions } from "./site-options.ts";

const ONE_YEAR_SECONDS = 365 * 24 * 3600;
const IMMUTABLE = `public, max-age=${ONE_YEAR_SECONDS}, immutable`;
const REVALIDATE = "no-cache";
/** The build writes files there whose names change with their content. */
const HASHED = /[\\/]assets[\\/]/;
const POLICY = "content-security-policy";

async function readPage(page: string): Promise<string | undefined> {
  try {
    return await readFile(page, "utf8");
  } catch {
    return undefined;
  }
}

/** The page with the root user's markup at the end of its head. */
const withHead = (page: string, headHtml: string): string => page.replace("</head>", () => `${headHtml}\n</head>`);

/**
 * The console's page, for every address that the console's router handles (including "not found"). It contains the root
 * user's custom code, and the policy that allows it; `?no_custom=1` omits the code, so that the root user can repair a
 * page that the code broke.
 */
function pageFor(page: string, options: Pick<SiteOptions, "current">): RequestHandler {
  return async (request, response, next) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || request.path.startsWith("/assets/")) return next();
    const html = await readPage(page);
    if (html === undefined) {
      response.status(404).type("text").send("The console is not built: run `npm run build -w web`.\n");
      return;
    }
    const inForce = options.current();
    const custom = request.query["no_custom"] === "1" ? undefined : getCustomCode(inForce);
    const usual = extendPolicy(String(response.getHeader(POLICY) ?? ""), widgetSources(inForce));
    response.set(POLICY, custom ? extendPolicy(usual, custom.sources) : usual);
    const text = custom ? withHead(html, custom.headHtml) : html;
    sendWithEtag(request, response, { text, type: "text/html; charset=utf-8" });
  };
}

/** Serves the built console: hashed files are cached for a year, the page itself is revalidated on every request. */
export function consoleFiles(webDist: string, options: Pick<SiteOptions, "current">): Router {
  const files = serveStatic(webDist, {
    index: false,
    redirect: false,
    cacheControl: false,
    setHeaders: (response, path) => {
      response.setHeader("cache-control", HASHED.test(path) ? IMMUTABLE : REVALIDATE);
    },
  });
  return Router().use(files, pageFor(join(webDist, "index.html"), options));
}
