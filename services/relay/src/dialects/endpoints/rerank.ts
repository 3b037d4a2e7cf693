import { textOfFields } from "../../metering/estimate.ts";
import { requireList } from "../fields.ts";
import { passThroughDialect } from "./endpoint-dialect.ts";
import { modelOf, promptOnlyFields, requireContent } from "./endpoint-fields.ts";

/** Jina's and Cohere's rerank, which differ in their usage alone. */
export const rerank = passThroughDialect("rerank", {
  readFields(body) {
    const model = modelOf(body, undefined);
    requireContent(body["query"], "query");
    requireContent(body["documents"], "documents");
    requireList(body["documents"], "documents");
    return promptOnlyFields(model);
  },
  prompt: (body) => textOfFields(body, ["query", "documents"]),
  promptOnly: true,
});
