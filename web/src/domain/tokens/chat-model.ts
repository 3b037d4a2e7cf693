const CHAT = /mini|flash|haiku|nano|lite|small|chat|turbo|sonnet|instruct/i;
const NOT_CHAT =
  /audio|image|tts|transcribe|realtime|live|embed|rerank|moderation|search|whisper|dall|sora|veo|imagen|codex/i;

/** A cheap chat model of a list, to test a channel and for the first call; the first model where none looks like one. */
export const chooseChatModel = (models: readonly string[]): string | undefined =>
  models.find((model) => CHAT.test(model) && !NOT_CHAT.test(model)) ??
  models.find((model) => !NOT_CHAT.test(model)) ??
  models[0];
