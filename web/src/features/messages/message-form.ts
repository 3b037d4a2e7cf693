import type { MessageBody } from "@turnpike/contract/api/message";
import { z } from "zod/mini";
import { text } from "../../lib/text/i18n-source.ts";

const TITLE_LENGTH_MAX = 255;
const CONTENT_LENGTH_MAX = 100_000;
/** The maximum number of recipients of a message. */
export const RECIPIENTS_MAX = 10_000;

/** A chosen recipient. */
export type Recipient = { readonly id: number; readonly name: string };

const content = {
  title: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, text("请输入消息标题")),
      z.maxLength(TITLE_LENGTH_MAX, text("标题最多 255 个字符")),
    ),
  content: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, text("请输入消息内容")),
      z.maxLength(CONTENT_LENGTH_MAX, text("内容最多 100000 个字符")),
    ),
  format: z.enum(["markdown", "html"]),
};
const recipients = z.array(z.object({ id: z.number(), name: z.string() }));

/** The form of a sent message: its recipients are fixed. */
export const SentMessageForm = z.object({ ...content, recipients });
/** The form of a new message. */
export const NewMessageForm = z.object({
  ...content,
  recipients: recipients.check(
    z.minLength(1, text("请选择至少一个收件人")),
    z.maxLength(RECIPIENTS_MAX, text("一条消息最多 10000 个收件人")),
  ),
});
export type MessageValues = z.infer<typeof NewMessageForm>;

export const NEW_MESSAGE: MessageValues = { title: "", content: "", format: "markdown", recipients: [] };

/** The form in wire format. */
export const toRequestBody = ({ title, content: written, format, recipients: chosen }: MessageValues): MessageBody => ({
  title,
  content: written,
  format,
  user_ids: chosen.map(({ id }) => id),
});
