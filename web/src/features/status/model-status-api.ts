import { MODEL_STATUS_SECONDS, ModelStatusList } from "@turnpike/contract/api/models/model-status";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";

/** The status of the models that the visitor or user can call; read anew while the page is open. */
export const modelStatusQuery = queryOptions({
  queryKey: ["model-status"],
  queryFn: ({ signal }) => api.get("/api/model_status", { schema: ModelStatusList, signal }),
  refetchInterval: 2 * MODEL_STATUS_SECONDS * 1_000,
});
