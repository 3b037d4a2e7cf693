/** The body of a webhook call. `values` are the facts in `content`, in the same order. */
export type WebhookNotice = {
  readonly type: string;
  readonly title: string;
  readonly content: string;
  readonly values: readonly string[];
};

/** The body as sent: serialised once, so that each attempt has the same signature. */
export const webhookBody = ({ type, title, content, values }: WebhookNotice, timestampSeconds: number): string =>
  JSON.stringify({ type, title, content, values, timestamp: timestampSeconds });
