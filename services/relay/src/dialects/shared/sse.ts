/** A server-sent event of bare data, as OpenAI streams have it. */
export const dataEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** A server-sent event whose name repeats the `type` of its data, as Anthropic streams have it. */
export const typedEvent = <Data extends { readonly type: string }>(data: Data): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
