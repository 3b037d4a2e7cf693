import { z } from "zod/mini";
import { successSchema } from "@turnpike/contract/api/common";
import { StatementQuery, Statement } from "@turnpike/contract/api/ledger";
import { ROLE } from "@turnpike/contract/codes";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../../http/api-response.ts";
import { csvFile, CSV } from "../../http/export/csv.ts";
import type { RouteContext } from "../../http/route-spec.ts";
import { requireField } from "../../presenters/required-field.ts";
import { statementRows, toStatement } from "../../presenters/billing/statement.ts";
import type { RoutesDeps } from "../routes-deps.ts";

const TIMEOUT_MS = 30_000;

const SPECS = {
  readStatement: {
    access: "user",
    summary: "Read the statement of a month",
    returns: z.union([successSchema(Statement), CSV]),
    query: StatementQuery,
  },
} as const;

/** A month's statement. Mounted at /api/user. */
export function statementRoutes({ services: { auth, ledger }, route, options }: RoutesDeps): Router {
  const getOwner = async (userId: number, { caller, call }: RouteContext<"user">) => {
    if (userId === 0 || userId === caller.user.id) return caller.user;
    if (caller.user.role < ROLE.admin) throw new AppError("permission_denied", "the statement belongs to another user");
    return requireField((await auth.getUser({ id: userId }, call)).user, "user");
  };
  return Router().get(
    "/statement",
    route(SPECS.readStatement, async ({ query }, context) => {
      const month = query.month === "" ? new Date().toISOString().slice(0, 7) : query.month;
      const { id: userId, username } = await getOwner(query.user_id, context);
      const found = await ledger.getStatement({ userId, month }, { ...context.call, timeoutMs: TIMEOUT_MS });
      const quotaPerUnit = options.known().number("QuotaPerUnit");
      const statement = toStatement(found, { month, userId, username, quotaPerUnit });
      if (query.format !== "csv") return ok(statement);
      const language = query.lang === "en" || query.lang === "zh" ? query.lang : context.facts.language;
      return csvFile(`statement-${userId}-${month}.csv`, statementRows(statement, language));
    }),
  );
}
