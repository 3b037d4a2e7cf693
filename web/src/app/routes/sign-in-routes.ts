import { createRoute, lazyRouteComponent, notFound } from "@tanstack/react-router";
import { anyTextSearch, flagSearch, createSearchParser } from "../../lib/search.ts";
import { rootRoute } from "./areas.ts";

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: createSearchParser({ expired: flagSearch, returnTo: anyTextSearch, aff: anyTextSearch }),
  component: lazyRouteComponent(() => import("../../features/sign-in/login-page.tsx"), "LoginPage"),
});

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/register",
  validateSearch: createSearchParser({ aff: anyTextSearch }),
  component: lazyRouteComponent(() => import("../../features/sign-in/register-page.tsx"), "RegisterPage"),
});

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset",
  component: lazyRouteComponent(() => import("../../features/sign-in/reset-page.tsx"), "ResetPage"),
});
const resetConfirmRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/user/reset",
  validateSearch: createSearchParser({ email: anyTextSearch, token: anyTextSearch }),
  component: lazyRouteComponent(() => import("../../features/sign-in/reset-confirm-page.tsx"), "ResetConfirmPage"),
});

const OAUTH_PROVIDERS: readonly string[] = ["github", "oidc", "linuxdo"];
const oauthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/oauth/$provider",
  beforeLoad: ({ params }) => {
    if (!OAUTH_PROVIDERS.includes(params.provider)) throw notFound();
  },
  component: lazyRouteComponent(() => import("../../features/sign-in/oauth-page.tsx"), "OAuthPage"),
});

/** The pages of somebody who has no account yet, or not this moment. */
export const signInRoutes = [loginRoute, registerRoute, resetRoute, resetConfirmRoute, oauthRoute] as const;
