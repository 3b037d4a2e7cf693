/** Sound in the prompt of these costs what text costs, unless the operator says otherwise. */
const AS_TEXT = 1;
/** Sound in an answer costs twice what it costs in the prompt. */
export const AUDIO_COMPLETION_RATIO = 2;

/** What sound in the prompt costs against text where the operator has set nothing; rules as in the new-api family. */
export function builtInAudioRatio(name: string): number {
  const isMini = name.includes("mini");
  if (name.includes("realtime")) {
    if (name.endsWith("gpt-4o-realtime-preview-2024-12-17")) return 8;
    if (isMini) return 16.6667;
    return name.includes("gpt-realtime") ? 8 : 20;
  }
  if (name.includes("-audio")) {
    if (name.startsWith("gemini")) return AS_TEXT;
    if (name.endsWith("gpt-4o-audio-preview-2024-12-17")) return 16;
    return isMini ? 66.6667 : 40;
  }
  return AS_TEXT;
}
