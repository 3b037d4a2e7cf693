import type { Dialect } from "../../core/call/dialect.ts";
import { boundGeminiOutput, countGeminiCandidates, readGeminiFields } from "./gemini-fields.ts";
import { writeGeminiError } from "./gemini-error.ts";
import { getOwnTools } from "./gemini-own-tools.ts";
import { parseGeminiRequest } from "./gemini-request.ts";
import { writeGeminiResponse } from "./gemini-response.ts";
import { newGeminiStreamWriter } from "./gemini-stream.ts";

/** Google's generateContent and streamGenerateContent, as used by its SDKs. */
export const geminiGenerate: Dialect = {
  name: "gemini",
  streamsArray: true,
  namesModelInPath: true,
  keepsImageUris: true,
  countCandidates: countGeminiCandidates,
  boundOutput: boundGeminiOutput,
  getOwnTools,
  readFields: readGeminiFields,
  parseRequest: parseGeminiRequest,
  writeResponse: writeGeminiResponse,
  newStreamWriter: newGeminiStreamWriter,
  writeError: writeGeminiError,
};
