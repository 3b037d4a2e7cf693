import { z } from "zod/mini";

/** Body of `PUT /api/model_mapping/` and `/config`: virtual model names, each with its models. */
export const ModelMappingBody = z.object({ mapping: z._default(z.record(z.string(), z.unknown()), {}) });

/**
 * The name under which a channel requests a model upstream: the prefix is removed, then the mapping (written with or
 * without the prefix) is applied once.
 */
export function findUpstreamName(prefix: string, mapping: Readonly<Record<string, string>>, requested: string): string {
  const bare = prefix !== "" && requested.startsWith(prefix) ? requested.slice(prefix.length) : requested;
  // A channel test may name the model without the prefix.
  for (const name of [requested, bare, prefix + bare]) if (Object.hasOwn(mapping, name)) return mapping[name] ?? bare;
  return bare;
}

/** The name under which channels list a model: custom GPTs, of any name, are served by the channel that lists their pattern. */
export function getRoutedModelName(model: string): string {
  if (model.startsWith("gpt-4-gizmo")) return "gpt-4-gizmo-*";
  if (model.startsWith("gpt-4o-gizmo")) return "gpt-4o-gizmo-*";
  return model;
}
