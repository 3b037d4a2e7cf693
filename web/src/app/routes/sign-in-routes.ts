import { createRoute, notFound } from "@tanstack/react-router";
import { anyTextSearch, flagSearch, createSearchParser } from "../../lib/text/search.ts";
import { rootRoute } from "./areas.ts";
import { lazyPage } from "./lazy-page.ts";

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: createSearchParser({ expired: flagSearch, returnTo: anyTextSearch, aff: anyTextSearch }),
  component: lazyPage("sign-in", () => import("../../features/sign-in/login-page.tsx"), "LoginPage"),
});

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/register",
  validateSearch: createSearchParser({ aff: anyTextSearch }),
  component: lazyPage("sign-in", () => import("../../features/sign-in/register-page.tsx"), "RegisterPage"),
});

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset",
  component: lazyPage("sign-in", () => import("../../features/sign-in/reset-page.tsx"), "ResetPage"),
});
const resetConfirmRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/user/reset",
  validateSearch: createSearchParser({ email: anyTextSearch, token: anyTextSearch }),
  component: lazyPage("sign-in", () => import("../../features/sign-in/reset-confirm-page.tsx"), "ResetConfirmPage"),
});

const OAUTH_PROVIDERS: readonly string[] = ["github", "oidc", "linuxdo"];
const oauthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/oauth/$provider",
  beforeLoad: ({ params }) => {
    if (!OAUTH_PROVIDERS.includes(params.provider)) throw notFound();
  },
  component: lazyPage("sign-in", () => import("../../features/sign-in/oauth-page.tsx"), "OAuthPage"),
});

/** Pages for visitors who are not signed in. */
export const signInRoutes = [loginRoute, registerRoute, resetRoute, resetConfirmRoute, oauthRoute] as const;
