import { asObject, asText, parseJson } from "../chat/json.ts";

/** The input of a call of a custom tool as the arguments of the function that stands for it. */
export const toInputArguments = (input: unknown): string => JSON.stringify({ input });

/** The text in the arguments; if the model wrote anything else, the raw arguments. */
export const readInput = (argumentsText: string): string =>
  argumentsText === "{}" ? "" : (asText(asObject(parseJson(argumentsText))?.["input"]) ?? argumentsText);

const [START = "", END = ""] = toInputArguments("|").split("|");

/** The same in pieces, as a stream sends them: each piece of the input, and the end after the last. */
export const writeInputPiece = (piece: string, isFirst: boolean): string =>
  (isFirst ? START : "") + JSON.stringify(piece).slice(1, -1);
export const INPUT_END = END;
