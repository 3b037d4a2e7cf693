import type { RequestHandler } from "express";
import helmet from "helmet";

/**
 * A form may be posted to the payment gateway, which redirects the browser to other sites; without a gateway only to
 * this site.
 */
const formTarget = (payAddress: string): string => {
  if (!URL.canParse(payAddress)) return "'self'";
  const { protocol, origin } = new URL(payAddress);
  return protocol === "http:" || protocol === "https:" ? `'self' https: ${origin}` : "'self'";
};

/**
 * Security headers of the console's pages: only the site's own scripts run, and no site may frame them. Nothing here
 * depends on TLS because many installs are reached over plain http in a private network; HSTS belongs to the TLS
 * terminator.
 */
export const securityHeaders = (deps: { payAddress: () => string }): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The page itself allows more sources: see site/widget-sources.ts and site/custom-code.ts.
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "https:"],
        fontSrc: ["'self'", "data:"],
        connectSrc: ["'self'"],
        // The about and home pages may be addresses that the console frames.
        frameSrc: ["'self'", "https:"],
        frameAncestors: ["'none'"],
        baseUri: ["'self'"],
        formAction: [() => formTarget(deps.payAddress())],
        objectSrc: ["'none'"],
      },
    },
    xFrameOptions: { action: "deny" },
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: { policy: "same-origin" },
  });
