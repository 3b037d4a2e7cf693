import { AffTransferBody } from "@turnpike/contract/api/affiliate";
import { SelfDeleteBody, SelfUpdateBody, UserSettingBody } from "@turnpike/contract/api/self";
import { TopUpBody } from "@turnpike/contract/api/user";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import { endedSessionCookie, sessionCookie } from "../http/cookie.ts";
import { getGroups, getModels, toUserGroups } from "../presenters/pricing.ts";
import { requireField } from "../presenters/required-field.ts";
import { joinAccounts, toSignedInUser } from "../presenters/user.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** What users may see and do about themselves. Mounted at /api/user. */
export function selfRoutes({ services, route, options }: RoutesDeps): Router {
  const { auth, redemptions, self } = services;
  const isSecure = (): boolean => options.current().text("ServerAddress").startsWith("https:");
  return Router()
    .get(
      "/self",
      route({ access: "user" }, async (_, { caller, call }) => {
        const [profile] = await joinAccounts(services, [caller.user], call);
        // The console asks this at every start: the browser's copy of the session lives on with the server's.
        const { sessionId } = caller;
        const headers = sessionId === undefined ? {} : { "set-cookie": sessionCookie(sessionId, isSecure()) };
        return { ...ok(profile), headers };
      }),
    )
    .put(
      "/self",
      route({ access: "user", body: SelfUpdateBody }, async ({ body }, { caller, call }) => {
        const { user } = await auth.updateSelf(
          {
            id: caller.user.id,
            username: body.username,
            displayName: body.display_name,
            originalPassword: body.original_password,
            password: body.password === "" ? undefined : body.password,
            sessionId: caller.sessionId ?? "",
            settingJson: undefined,
          },
          { ...call, timeoutMs: 10_000 },
        );
        return ok(toSignedInUser(requireField(user, "user")));
      }),
    )
    .delete(
      "/self",
      route({ access: "user", body: SelfDeleteBody, isBodyOptional: true }, async ({ body }, { caller, call }) => {
        await self.deleteSelf({ userId: caller.user.id, confirmation: body.username }, call);
        return { ...ok(), headers: { "set-cookie": endedSessionCookie(isSecure()) } };
      }),
    )
    .get(
      "/aff",
      route({ access: "user" }, (_, { caller }) => ok(caller.user.affCode)),
    )
    .post(
      "/aff_transfer",
      route({ access: "user", body: AffTransferBody }, async ({ body }, { caller, call }) => {
        const moved = await self.transferEarnings({ userId: caller.user.id, amount: body.quota }, call);
        return ok({ quota: moved.amount, aff_quota: moved.affQuota });
      }),
    )
    .get(
      "/check_in_status",
      route({ access: "user" }, async (_, { caller, call }) => {
        const { enabled, checkedInToday, day, amount } = await self.getCheckInStatus({ userId: caller.user.id }, call);
        return ok({
          can_check_in: !checkedInToday,
          enabled,
          checked_in_today: checkedInToday,
          day,
          quota: amount,
        });
      }),
    )
    .post(
      "/check_in",
      route({ access: "user" }, async (_, { caller, call }) =>
        ok({ quota: (await self.checkIn({ userId: caller.user.id }, call)).amount }),
      ),
    )
    .put(
      "/setting",
      route({ access: "user", body: UserSettingBody }, async ({ body }, { caller, call }) => {
        const settingJson = JSON.stringify(body);
        const { id } = caller.user;
        await auth.updateSelf({ ...NO_CHANGE, id, sessionId: caller.sessionId ?? "", settingJson }, call);
        return ok();
      }),
    )
    .get(
      "/token",
      route({ access: "user", changesState: true }, async (_, { caller, call }) =>
        ok((await auth.createAccessToken({ userId: caller.user.id }, call)).accessToken),
      ),
    )
    .get(
      "/models",
      route({ access: "user" }, async (_, { caller, call }) => {
        const groups = await getGroups(services, caller.user.group, call);
        const models = await getModels(services, new Set(groups.map(({ group }) => group)), call);
        return ok([...models.keys()]);
      }),
    )
    .get(
      "/self/groups",
      route({ access: "user" }, async (_, { caller, call }) =>
        ok(toUserGroups(await getGroups(services, caller.user.group, call))),
      ),
    )
    .get(
      "/groups",
      route({ access: "anyone" }, async (_, { call }) => ok(toUserGroups(await getGroups(services, "", call)))),
    )
    .post(
      "/topup",
      route({ access: "user", body: TopUpBody }, async ({ body }, { caller, call, facts }) => {
        if (body.key === "") throw new AppError("redemption_required", "no code");
        const { id: userId, username } = caller.user;
        const redeemed = await redemptions.redeem({ userId, username, key: body.key, address: facts.address }, call);
        return ok({ quota: redeemed.quota, is_gift: redeemed.isGift });
      }),
    );
}

const NO_CHANGE = { username: undefined, displayName: undefined, originalPassword: undefined, password: undefined };
