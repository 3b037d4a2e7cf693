import createFetchClient, { type Client, type ClientOptions } from "openapi-fetch";
import type { paths } from "./schema.ts";

export type { components, operations, paths } from "./schema.ts";

/** A client of the console's API: paths, parameters, bodies and responses are typed by its description. */
export type ApiClient = Client<paths>;

/**
 * Creates a client of the console's API at an address. `accessToken` is one that `GET /api/user/token` creates; browsers use
 * their session instead.
 */
export function createApiClient({
  accessToken,
  ...options
}: Omit<ClientOptions, "headers"> & { accessToken?: string }): ApiClient {
  const headers = accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` };
  return createFetchClient<paths>({ ...options, headers });
}

type ResponseBody = { readonly success: boolean; readonly message: string };
type Success<Body extends ResponseBody> = Extract<Body, { success: true }>;

/** A refusal of the API: `code` is one of the list in the documentation, `status` the HTTP status. */
export class ApiRefusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(status: number, { code = "unreadable", message = "" }: { code?: string; message?: string }) {
    super(message === "" ? `HTTP ${status}` : message);
    this.name = "ApiRefusal";
    this.code = code;
    this.status = status;
  }
}

/** The body of a success; throws ApiRefusal for a refusal, whatever its HTTP status. */
export function expectSuccess<Body extends ResponseBody>(result: {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}): Success<Body> {
  if (result.data?.success === true) return result.data as Success<Body>;
  throw new ApiRefusal(
    result.response.status,
    (result.data ?? result.error ?? {}) as { code?: string; message?: string },
  );
}
