import { AppError } from "@turnpike/shared/errors/app-error";
import { paragraph, type Template, type Values } from "./mail-template.ts";
import { OPERATOR_MAIL_TEMPLATES } from "./operator-mail-templates.ts";
import { USER_MAIL_TEMPLATES } from "./user-mail-templates.ts";
import { type MailContent, type MailParts, writeMail } from "./mail-text.ts";

/** "both": Chinese, then English, for readers whose language is unknown. */
export type MailLanguage = "zh" | "en" | "both";
export type Params = Readonly<Record<string, string>>;

const TEMPLATES = { ...USER_MAIL_TEMPLATES, ...OPERATOR_MAIL_TEMPLATES } as const;

type TemplateName = keyof typeof TEMPLATES;

const isTemplate = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);

const VALUE_LENGTH_MAX = 2_000;

function invalid(detail: string): AppError {
  return new AppError("invalid_input", `mail template: ${detail}`, { params: { detail } });
}

const joined = (chinese: MailParts, english: MailParts): MailParts => ({
  subject: `${chinese.subject} / ${english.subject}`,
  blocks: [...chinese.blocks, paragraph("—"), ...english.blocks],
});

/**
 * A template filled with its values; throws invalid_input for an unknown template or a value that is missing or too
 * long.
 */
export function fillTemplate(name: string, language: MailLanguage, params: Params): MailParts {
  if (!isTemplate(name)) throw invalid(`template ${name.slice(0, 50)}`);
  const { needs, zh, en } = TEMPLATES[name] as Template<string>;
  const missing = [...needs, "system_name"].find((need) => params[need] === undefined);
  if (missing !== undefined) throw invalid(`params.${missing}`);
  const long = Object.entries(params).find(([, value]) => value.length > VALUE_LENGTH_MAX);
  if (long) throw invalid(`params.${long[0]}`);
  if (language === "both") return joined(zh(params as Values<string>), en(params as Values<string>));
  return (language === "en" ? en : zh)(params as Values<string>);
}

/** The same as a mail. */
export const mailFromTemplate = (name: string, language: MailLanguage, params: Params): MailContent =>
  writeMail(fillTemplate(name, language, params));
