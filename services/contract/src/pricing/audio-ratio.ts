/** The ratio of audio in a completion to audio in the prompt, where the latter has a ratio of its own. */
export const AUDIO_COMPLETION_RATIO = 2;

/**
 * The default ratio of audio in the prompt to text; rules as in the new-api family. Undefined for models whose audio
 * costs the same as text.
 */
export function builtInAudioRatio(name: string): number | undefined {
  const isMini = name.includes("mini");
  if (name.includes("realtime")) {
    if (name.endsWith("gpt-4o-realtime-preview-2024-12-17")) return 8;
    if (isMini) return 16.6667;
    return name.includes("gpt-realtime") ? 8 : 20;
  }
  // Google's models have a price in dollars instead.
  if (!name.includes("-audio") || name.includes("gemini")) return undefined;
  if (name.endsWith("gpt-4o-audio-preview-2024-12-17")) return 16;
  return isMini ? 66.6667 : 40;
}
