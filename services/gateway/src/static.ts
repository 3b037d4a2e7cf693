import { existsSync } from "node:fs";
import { join } from "node:path";
import { type RequestHandler, Router, static as serveStatic } from "express";

const ONE_YEAR_SECONDS = 365 * 24 * 3600;
const IMMUTABLE = `public, max-age=${ONE_YEAR_SECONDS}, immutable`;
const ASK_AGAIN = "no-cache";
/** The build puts files there whose names change with their content. */
const HASHED = /[\\/]assets[\\/]/;

/** The page itself for every address that the console's own router knows, or says it does not. */
function pageFor(page: string): RequestHandler {
  return (request, response, next) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || request.path.startsWith("/assets/")) return next();
    if (!existsSync(page)) {
      response.status(404).type("text").send("The console is not built: run `npm run build -w web`.\n");
      return;
    }
    response.sendFile(page, { headers: { "cache-control": ASK_AGAIN }, cacheControl: false });
  };
}

/** Serves the built console: hashed files for a year, the page itself always asked for again. */
export function consoleFiles(webDist: string): Router {
  const files = serveStatic(webDist, {
    index: false,
    redirect: false,
    cacheControl: false,
    setHeaders: (response, path) => {
      response.setHeader("cache-control", HASHED.test(path) ? IMMUTABLE : ASK_AGAIN);
    },
  });
  return Router().use(files, pageFor(join(webDist, "index.html")));
}
