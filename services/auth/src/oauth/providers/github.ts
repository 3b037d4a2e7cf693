import { z } from "zod";
import type { Endpoints } from "../endpoints.ts";
import { callProvider, exchangeCode, type Provider, refused } from "../provider.ts";

const PROVIDER = "GitHub";
const Profile = z.object({
  id: z.int(),
  login: z.string(),
  name: z.string().nullish(),
  email: z.string().nullish(),
});

/** GitHub. Users are identified by their numeric id because login names can be reassigned. */
export const github = (endpoints: Endpoints): Provider => ({
  title: PROVIDER,
  field: "githubId",
  usernamePrefix: "github",
  reportsEmail: true,
  isEnabled: (options) => options.flag("GitHubOAuthEnabled"),
  async authorizeUrl({ options }, { state, challenge, redirectUri }) {
    const url = new URL(endpoints.GITHUB_AUTHORIZATION_ENDPOINT);
    url.search = new URLSearchParams({
      client_id: options.text("GitHubClientId"),
      redirect_uri: redirectUri,
      scope: "read:user user:email",
      state,
      code_challenge: challenge,
      code_challenge_method: "S256",
    }).toString();
    return url.href;
  },
  async identify({ options, readSecret, fetch }, { params, journey }) {
    const call = { provider: PROVIDER, fetch };
    const code = params["code"] ?? "";
    if (code === "") throw refused(PROVIDER, "no code");
    const body = new URLSearchParams({
      client_id: options.text("GitHubClientId"),
      client_secret: await readSecret("GitHubClientSecret"),
      code,
      ...(journey.verifier === undefined ? {} : { code_verifier: journey.verifier, redirect_uri: journey.redirectUri }),
    });
    const token = await exchangeCode(call, endpoints.GITHUB_TOKEN_ENDPOINT, { body });
    const headers = {
      authorization: `Bearer ${token}`,
      accept: "application/vnd.github+json",
      "user-agent": "turnpike",
    };
    const profile = await callProvider({ ...call, shape: Profile }, endpoints.GITHUB_USER_ENDPOINT, { headers });
    return {
      id: String(profile.id),
      displayName: profile.name || profile.login,
      username: undefined,
      // GitHub lets users publish verified addresses only.
      email: profile.email ?? undefined,
    };
  },
});
