import { AppError } from "@turnpike/shared/errors/app-error";
import {
  cleanHtml,
  MESSAGE_FORMATS,
  type MessageFormat,
  toPreview,
  renderMessage,
  showsSomething,
} from "./message-html.ts";

/** A message's content in stored form; its HTML is sanitised. */
export type MessageText = {
  readonly title: string;
  readonly content: string;
  readonly format: MessageFormat;
  readonly preview: string;
};
type Sent = { readonly title: string; readonly content: string; readonly format: string };

const TITLE_LENGTH_MAX = 255;
const CONTENT_LENGTH_MAX = 100_000;
export const RECIPIENTS_MAX = 10_000;

function checkLength(field: string, text: string, max: number): void {
  if (text.length <= max) return;
  throw new AppError("text_too_long", `${field} is too long`, { params: { field, max: String(max) } });
}

function readFormat(requested: string): MessageFormat {
  const format = MESSAGE_FORMATS.find((known) => known === (requested === "" ? "markdown" : requested));
  if (format) return format;
  const named = requested.slice(0, 20);
  throw new AppError("message_format_unsupported", `format ${named}`, { params: { format: named } });
}

/** Reads a message's form; throws the first missing or invalid field. */
export function readMessageText(sent: Sent): MessageText {
  const [title, written] = [sent.title.trim(), sent.content.trim()];
  if (title === "") throw new AppError("message_title_required", "no title");
  if (written === "") throw new AppError("message_content_required", "no content");
  checkLength("title", title, TITLE_LENGTH_MAX);
  checkLength("content", written, CONTENT_LENGTH_MAX);
  const format = readFormat(sent.format);
  const content = format === "html" ? cleanHtml(written).trim() : written;
  const shown = renderMessage(content, format);
  if (format === "html" && !showsSomething(shown))
    throw new AppError("message_content_unsafe", "the content is empty after sanitising");
  return { title, content, format, preview: toPreview(shown) };
}

/** Checks the number of recipients; throws message_recipients_required or invalid_input. */
export function checkRecipientCount(userIds: readonly number[]): void {
  if (userIds.length === 0) throw new AppError("message_recipients_required", "no recipient");
  if (userIds.length > RECIPIENTS_MAX)
    throw new AppError("invalid_input", "too many recipients", { params: { detail: `user_ids > ${RECIPIENTS_MAX}` } });
}

/** A text as its readers would see it; throws text_too_long or message_format_unsupported. */
export function previewMessage(sent: Pick<Sent, "content" | "format">): string {
  checkLength("content", sent.content, CONTENT_LENGTH_MAX);
  return renderMessage(sent.content, readFormat(sent.format));
}
