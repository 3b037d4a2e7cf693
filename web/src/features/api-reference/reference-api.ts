import { queryOptions } from "@tanstack/react-query";
import { getDocument } from "../../lib/api/api-client.ts";
import { Description } from "./description.ts";

/** The two descriptions: what callers of models use, and what this console uses. */
export type Subject = "models" | "console";

const PATHS: Readonly<Record<Subject, string>> = { models: "/v1/openapi.json", console: "/api/openapi.json" };

/** A description; it changes with the installed version only. */
export const descriptionQuery = (subject: Subject) =>
  queryOptions({
    queryKey: ["openapi", subject],
    queryFn: ({ signal }) => getDocument(PATHS[subject], { schema: Description, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
