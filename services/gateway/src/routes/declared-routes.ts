import { Done, IdParams, successSchema } from "@turnpike/contract/api/common";
import {
  DeclaredReport,
  DeclaredState,
  DeclaredTokenBody,
  DeclaredTokenOwner,
  DeclaredTokens,
  DeclaredTokensQuery,
  DeclaredTokenUpdateBody,
  SecretMarks,
  StoredPrices,
} from "@turnpike/contract/api/declared";
import { ROLE } from "@turnpike/contract/codes";
import { PAGE_SIZE_MAX } from "@turnpike/contract/limits";
import { Token } from "@turnpike/contract/api/token";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import { isOptionKey } from "@turnpike/contract/options/option-definitions";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import type { Services } from "../http/services.ts";
import { requireField } from "../presenters/required-field.ts";
import { toToken, toTokenInput } from "../presenters/token.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const SPECS = {
  readState: {
    access: "admin",
    summary: "Read what the declared configuration manages and how the site differs from it",
    returns: successSchema(DeclaredState),
  },
  storeReport: {
    access: "admin",
    summary: "Store the report of the declared configuration",
    returns: Done,
    body: DeclaredReport,
    hasLargeBody: true,
  },
  readPrices: {
    access: "admin",
    summary: "Read the stored price options without the built-in prices",
    returns: successSchema(StoredPrices),
  },
  readSecretMarks: {
    access: "admin",
    summary: "Read what identifies the values of the secret options, for root",
    returns: successSchema(SecretMarks),
  },
  listTokens: {
    access: "admin",
    summary: "List the tokens of several users, without their keys",
    returns: successSchema(DeclaredTokens),
    query: DeclaredTokensQuery,
  },
  createToken: {
    access: "admin",
    summary: "Create a token of a user with a key that its callers have",
    returns: successSchema(Token),
    body: DeclaredTokenBody,
  },
  changeToken: {
    access: "admin",
    summary: "Change a token of a user",
    returns: successSchema(Token),
    body: DeclaredTokenUpdateBody,
  },
  deleteToken: {
    access: "admin",
    summary: "Delete a token of a user",
    returns: Done,
    params: IdParams,
    query: DeclaredTokenOwner,
  },
} as const;

const USERS_MAX = 100;

function readUserIds(text: string): number[] {
  const ids = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [Number(part)]));
  if (ids.length <= USERS_MAX && ids.every((id) => Number.isSafeInteger(id) && id > 0)) return ids;
  throw new AppError("invalid_input", "not a list of ids", { params: { detail: "user_ids" } });
}

/** Every token of a user, the oldest first. */
async function listTokens({ tokens }: Services, userId: number, call: CallOptions): Promise<Token[]> {
  const found: Token[] = [];
  for (let page = 0; ; page++) {
    const filter = { userId, page, pageSize: PAGE_SIZE_MAX, keyword: "", token: "" };
    const { items, total } = await tokens.listTokens(filter, call);
    found.push(...items.map((token) => ({ ...toToken(token), key: "" })));
    if (items.length === 0 || found.length >= total) return found.toSorted((a, b) => a.id - b.id);
  }
}

/** Tokens of all users, for root: the services decide. */
function tokenRoutes({ services, route }: RoutesDeps): Router {
  const { auth, tokens } = services;
  const readGroup = async (id: number, call: CallOptions): Promise<string> =>
    requireField((await auth.getUser({ id }, call)).user, "user").group;
  return Router()
    .get(
      "/tokens",
      route(SPECS.listTokens, async ({ query }, { call }) => {
        const lists: Token[][] = [];
        for (const id of readUserIds(query.user_ids)) lists.push(await listTokens(services, id, call));
        return ok(lists.flat());
      }),
    )
    .post(
      "/tokens",
      route(SPECS.createToken, async ({ body }, { call }) => {
        const userGroup = await readGroup(body.user_id, call);
        const form = { userId: body.user_id, userGroup, input: toTokenInput(body), key: body.key };
        return ok(toToken(requireField((await tokens.declareToken(form, call)).token, "token")));
      }),
    )
    .put(
      "/tokens",
      route(SPECS.changeToken, async ({ body }, { call }) => {
        const about = { userId: body.user_id, id: body.id, userGroup: await readGroup(body.user_id, call) };
        const change =
          body.status === undefined
            ? { input: toTokenInput(body), statusOnly: undefined }
            : { input: undefined, statusOnly: body.status };
        const { token } = await tokens.updateToken({ ...about, ...change }, call);
        return ok({ ...toToken(requireField(token, "token")), key: "" });
      }),
    )
    .delete(
      "/tokens/:id",
      route(SPECS.deleteToken, async ({ params, query }, { call }) => {
        await tokens.deleteToken({ userId: query.user_id, id: params.id }, call);
        return ok();
      }),
    );
}

/** The report without what identifies secrets. */
const withoutFingerprints = (report: DeclaredReport): DeclaredReport => ({
  ...report,
  salt: "",
  objects: report.objects.map((object) => ({ ...object, fingerprint: "", mark: "" })),
});

/** The declared configuration. Mounted at /api/declared. */
export function declaredRoutes(deps: RoutesDeps): Router {
  const { services, route } = deps;
  const { declared, priceBook } = services;
  return Router()
    .use("/", tokenRoutes(deps))
    .get(
      "/report",
      route(SPECS.readState, async (_, { call, caller }) => {
        const { reportJson } = await declared.getDeclared({}, call);
        if (reportJson === "") return ok(null);
        const report = DeclaredReport.parse(JSON.parse(reportJson));
        return ok(caller.user.role === ROLE.root ? report : withoutFingerprints(report));
      }),
    )
    .put(
      "/report",
      route(SPECS.storeReport, async ({ body }, { call }) => {
        await declared.setDeclared({ reportJson: JSON.stringify(body) }, call);
        return ok();
      }),
    )
    .get(
      "/secrets",
      route(SPECS.readSecretMarks, async (_, { call }) => ok((await declared.listSecretMarks({}, call)).marks)),
    )
    .get(
      "/prices",
      route(SPECS.readPrices, async (_, { call }) => {
        // As a service: administrators receive the built-in prices in the same tables.
        const { options } = await priceBook.getPriceBook({}, { requestId: call.requestId });
        return ok(options.flatMap(({ key, value }) => (isOptionKey(key) ? [{ key, value }] : [])));
      }),
    );
}
