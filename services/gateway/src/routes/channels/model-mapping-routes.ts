import { Done, successSchema } from "@turnpike/contract/api/common";
import { ModelMappingBody } from "@turnpike/contract/api/models/model-mapping";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../../http/api-response.ts";
import type { RoutesDeps } from "../routes-deps.ts";

const SPECS = {
  readMapping: {
    access: "admin",
    summary: "Read the site's model mapping, which is always empty",
    returns: successSchema(ModelMappingBody),
  },
  storeMapping: {
    access: "admin",
    summary: "Store an empty model mapping",
    returns: successSchema(ModelMappingBody),
    body: ModelMappingBody,
    isBodyOptional: true,
  },
  reload: { access: "admin", summary: "Does nothing; for consoles that call it", returns: Done },
} as const;

/**
 * The mapping of virtual models for the whole site, which consoles of Veloera's later versions read and write. Turnpike
 * maps models per channel: the site's mapping is always empty, and only an empty one can be stored. Mounted at
 * /api/model_mapping.
 */
export function modelMappingRoutes({ route }: RoutesDeps): Router {
  const read = route(SPECS.readMapping, () => ok({ mapping: {} }));
  const write = route(SPECS.storeMapping, ({ body }) => {
    if (Object.keys(body.mapping).length > 0)
      throw new AppError("model_mapping_unsupported", "the site has no mapping of its own");
    return ok({ mapping: {} });
  });
  return Router()
    .get("/", read)
    .put("/", write)
    .get("/config", read)
    .put("/config", write)
    .post(
      "/reload",
      route(SPECS.reload, () => ok()),
    );
}
