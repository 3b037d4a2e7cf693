import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { type RequestHandler, Router } from "express";
import { sendWithEtag } from "../http/etag-response.ts";
import { CSS_PATH, JS_PATH } from "./custom-code.ts";
import type { SiteOptions } from "./site-options.ts";

/** Serves the root user's stylesheet and script as files of this site; 204 while they are empty. */
export function customFiles(options: Pick<SiteOptions, "current">): Router {
  const file =
    (key: OptionKey, type: string): RequestHandler =>
    (request, response) => {
      const text = options.current().text(key);
      if (text.trim() === "") response.status(204).set("cache-control", "no-cache").end();
      else sendWithEtag(request, response, { text, type });
    };
  return Router()
    .get(CSS_PATH, file("global_css", "text/css; charset=utf-8"))
    .get(JS_PATH, file("global_js", "text/javascript; charset=utf-8"));
}
