import type { ChannelDoc } from "./channel-model.ts";

type Facts = Readonly<Record<string, unknown>>;

/** A proxy address may contain a password. */
const withoutPasswords = (text: string): string => text.replace(/\/\/[^/\s"@]*@/g, "//***@");

/** The audit entry of a channel: its settings and key fingerprints, never a key. */
const toAuditFields = (doc: ChannelDoc): Facts => ({
  name: doc.name,
  type: doc.type,
  status: doc.status,
  key_hint: doc.keys[0]?.hint ?? "",
  key_count: doc.keys.length,
  report_key_hint: doc.reportKey?.hint ?? "",
  openai_organization: doc.openaiOrganization,
  max_input_tokens: doc.maxInputTokens,
  base_url: doc.baseUrl,
  other: doc.other,
  model_mapping: doc.modelMapping,
  status_code_mapping: doc.statusCodeMapping,
  models: doc.models.join(","),
  group: doc.groups.join(","),
  auto_ban: doc.autoBan ? 1 : 0,
  test_model: doc.testModel,
  priority: doc.priority,
  weight: doc.weight,
  tag: doc.tag,
  model_prefix: doc.modelPrefix,
  setting: withoutPasswords(doc.setting),
  param_override: doc.paramOverride,
  cost: doc.cost,
});

const keyHashes = (doc: ChannelDoc): string => doc.keys.map((key) => key.lookupHash).join();

/** The full channel, for rows of its creation and deletion. */
export const auditText = (doc: ChannelDoc): string => JSON.stringify(toAuditFields(doc));

/** What an edit changed, before and after; a replaced key is mentioned, not shown. */
export function auditDifference(before: ChannelDoc, after: ChannelDoc): { before: string; after: string } {
  const [old, now] = [toAuditFields(before), toAuditFields(after)];
  const changed = Object.keys(now).filter((field) => old[field] !== now[field]);
  const pick = (facts: Facts): Facts => Object.fromEntries(changed.map((field) => [field, facts[field]]));
  const key = keyHashes(before) === keyHashes(after) ? {} : { key: "replaced" };
  return { before: JSON.stringify(pick(old)), after: JSON.stringify({ ...pick(now), ...key }) };
}

/** The name of an edit; enabling and disabling have their own. */
export function getAuditAction(before: ChannelDoc, after: ChannelDoc): string {
  const fields = Object.keys(JSON.parse(auditDifference(before, after).after) as Facts);
  if (fields.join() !== "status") return "channel.update";
  return after.status === 1 ? "channel.enable" : "channel.disable";
}
