/** What a webhook is told. `values` are the facts in `content`, in its order. */
export type WebhookNotice = {
  readonly type: string;
  readonly title: string;
  readonly content: string;
  readonly values: readonly string[];
};

/** The body as sent: made once, so that each try is signed alike. */
export const webhookBody = ({ type, title, content, values }: WebhookNotice, timestampSeconds: number): string =>
  JSON.stringify({ type, title, content, values, timestamp: timestampSeconds });
