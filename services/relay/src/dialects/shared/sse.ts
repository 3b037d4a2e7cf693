/** A server-sent event with data only, as in OpenAI streams. */
export const dataEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** A server-sent event whose name repeats the `type` of its data, as in Anthropic streams. */
export const typedEvent = <Data extends { readonly type: string }>(data: Data): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
