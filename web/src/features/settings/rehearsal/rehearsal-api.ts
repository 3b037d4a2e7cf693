import { type RehearsalBody, RehearsalStep } from "@turnpike/contract/api/prices/rehearsal";
import { api } from "../../../lib/api/api-client.ts";

/** One step of a rehearsal. Throws ApiError with the place of a wrong price, prices_changed, range_too_long. */
export const rehearseStep = (body: RehearsalBody, signal: AbortSignal) =>
  api.post("/api/option/rehearsal", { body, schema: RehearsalStep, signal });
