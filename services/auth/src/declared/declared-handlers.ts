import type { DeclaredServiceServer } from "@turnpike/proto/auth/v1/declared_service";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import { requireAdmin, requireRoot } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { DeclaredModel } from "./declared-model.ts";
import type { SecretMarks } from "./secret-marks.ts";

const REPORT_ID = "site";
/** Some thousand objects. */
const REPORT_CHARS_MAX = 1_000_000;

/** RPCs over the report of the declared configuration: its reconciler writes it as root, administrators read it. */
export const declaredHandlers = (deps: {
  readonly model: DeclaredModel;
  readonly secretBox: SecretBox;
  readonly marks: SecretMarks;
}): Handlers<DeclaredServiceServer> => ({
  async getDeclared(_request, context) {
    requireAdmin(context);
    const stored = await deps.model.findById(REPORT_ID).maxTimeMS(QUERY_TIMEOUT_MS).lean();
    return { reportJson: stored ? deps.secretBox.open(stored.reportBox) : "" };
  },
  async setDeclared({ reportJson }, context) {
    requireRoot(context);
    if (reportJson.length > REPORT_CHARS_MAX)
      throw new AppError("invalid_input", "the report is too long", { params: { detail: "report" } });
    const reportBox = deps.secretBox.seal(reportJson);
    await deps.model
      .updateOne({ _id: REPORT_ID }, { $set: { reportBox } }, { upsert: true })
      .maxTimeMS(QUERY_TIMEOUT_MS);
    return {};
  },
  async listSecretMarks(_request, context) {
    requireRoot(context);
    return { marks: await deps.marks.list() };
  },
});
