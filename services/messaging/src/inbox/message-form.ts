import { AppError } from "@turnpike/shared/errors/app-error";
import type { CreateMessageRequest } from "@turnpike/proto/messaging/v1/inbox_service";

export type MessageForm = {
  readonly title: string;
  readonly content: string;
  readonly format: string;
  readonly userIds: readonly number[];
};

const TITLE_LENGTH_MAX = 255;
const CONTENT_LENGTH_MAX = 100_000;
const RECIPIENTS_MAX = 10_000;
const MARKDOWN = "markdown";

function checkLength(field: string, text: string, max: number): void {
  if (text.length <= max) return;
  throw new AppError("text_too_long", `${field} is too long`, { params: { field, max: String(max) } });
}

/** Reads the form of a new message; throws the first thing that is missing or wrong. */
export function readMessageForm(request: CreateMessageRequest): MessageForm {
  const [title, content] = [request.title.trim(), request.content.trim()];
  const { format: asked, userIds } = request;
  const format = asked === "" ? MARKDOWN : asked;
  if (title === "") throw new AppError("message_title_required", "no title");
  if (content === "") throw new AppError("message_content_required", "no content");
  if (userIds.length === 0) throw new AppError("message_recipients_required", "no recipient");
  if (userIds.length > RECIPIENTS_MAX)
    throw new AppError("invalid_input", "too many recipients", { params: { detail: `user_ids > ${RECIPIENTS_MAX}` } });
  checkLength("title", title, TITLE_LENGTH_MAX);
  checkLength("content", content, CONTENT_LENGTH_MAX);
  // HTML needs a sanitiser before it may be stored and shown to others.
  if (format !== MARKDOWN)
    throw new AppError("message_format_unsupported", `format ${format.slice(0, 20)}`, {
      params: { format: format.slice(0, 20) },
    });
  return { title, content, format, userIds };
}
