import { crc32 } from "node:zlib";
import { anthropicFormat } from "./anthropic-format.ts";
import { AWS_ACCOUNT, awsSignatureProblem } from "./aws-signature.ts";
import type { Requested, JsonObject, ReceivedRequest, Refusal, WireFormat } from "./wire-format.ts";

const ERROR_KINDS: Readonly<Record<number, string>> = {
  400: "ValidationException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  424: "ModelErrorException",
  429: "ThrottlingException",
  500: "InternalServerException",
  503: "ServiceUnavailableException",
};

const invalid = (message: string): Refusal => ({ status: 400, message });

function headerBytes(name: string, value: string): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), size, Buffer.from(value)]);
}

/** One message of AWS's binary stream: lengths and their checksum, headers, payload, checksum of the message. */
export function awsMessage(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => headerBytes(name, value)));
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + head.length + body.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const whole = Buffer.concat([prelude, head, body]);
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(whole));
  return Buffer.concat([whole, end]);
}

/** An event of Anthropic's stream inside a message. */
function chunk(frame: string): Buffer {
  const data = frame.slice(frame.indexOf("data: ") + "data: ".length).trimEnd();
  const payload = JSON.stringify({ bytes: Buffer.from(data).toString("base64"), p: "abcdefgh" });
  const headers = { ":event-type": "chunk", ":content-type": "application/json", ":message-type": "event" };
  return awsMessage(headers, payload);
}

function read(request: ReceivedRequest): Requested | Refusal {
  const problem = awsSignatureProblem(request);
  if (problem !== undefined) return { status: 403, message: problem };
  const [, id = "", call] = /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream)$/.exec(request.path) ?? [];
  const { body } = request;
  if (body["anthropic_version"] !== "bedrock-2023-05-31") return invalid("anthropic_version: Field required");
  const stranger = ["model", "stream"].find((name) => body[name] !== undefined);
  if (stranger !== undefined) return invalid(`${stranger}: Extra inputs are not permitted`);
  const model = decodeURIComponent(id);
  const headers = { ...request.headers, "anthropic-version": "2023-06-01" };
  return anthropicFormat.read({
    ...request,
    headers,
    body: { ...body, model, stream: call === "invoke-with-response-stream" },
  });
}

const errorBody = ({ message }: Refusal): JsonObject => ({ message });

/** Claude on Bedrock: signed calls, the model in the path, Anthropic's events in AWS's binary stream. */
export const bedrockFormat: WireFormat = {
  name: "bedrock",
  readKey: ({ headers }) => /Credential=([^/]+)\//.exec(headers["authorization"] ?? "")?.[1],
  read,
  whole: anthropicFormat.whole,
  frames: (response, requested) => anthropicFormat.frames(response, requested).map((frame) => chunk(String(frame))),
  streamType: "application/vnd.amazon.eventstream",
  errorBody,
  errorHeaders: ({ status }) => ({
    "x-amzn-errortype": `${ERROR_KINDS[status] ?? "InternalServerException"}:http://internal.amazon.com/coral/`,
  }),
  errorFrame: () =>
    awsMessage(
      { ":exception-type": "throttlingException", ":content-type": "application/json", ":message-type": "exception" },
      JSON.stringify({ message: "Too many requests, please wait before trying again." }),
    ),
  malformedFrame: Buffer.from("000000ffdeadbeef", "hex"),
  newline: "",
};

/** The key of a channel to this double. */
export const BEDROCK_KEY = `${AWS_ACCOUNT.accessKey}|${AWS_ACCOUNT.secretKey}|${AWS_ACCOUNT.region}`;
