import { MODEL_API_PATHS as PATHS } from "../../services/contract/src/api/models/model-api-paths.ts";

/** In whose form a request fails. */
export type ErrorForm = "OpenAiError" | "AnthropicError" | "GoogleError" | "MidjourneyError" | "SunoError";

/** One operation of the model API; `body`, `form` and `response` name schemas of `services/contract/src/api/model-api.ts`. */
export type ModelOperation = {
  readonly method: "get" | "post" | "delete";
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly tag: string;
  readonly body?: string;
  readonly form?: string;
  /** Without one the response is no JSON. */
  readonly response?: string;
  readonly streams?: boolean;
  readonly isPublic?: boolean;
  readonly errors?: ErrorForm;
};

const post = (path: string, id: string, summary: string, rest: Partial<ModelOperation>): ModelOperation => ({
  method: "post",
  path,
  id,
  summary,
  tag: "OpenAI",
  ...rest,
});

const get = (path: string, id: string, summary: string, rest: Partial<ModelOperation>): ModelOperation => ({
  ...post(path, id, summary, rest),
  method: "get",
});

const google = (method: string, id: string, summary: string, rest: Partial<ModelOperation>): ModelOperation =>
  post(`/v1beta/models/{model}:${method}`, id, summary, { tag: "Google", errors: "GoogleError", ...rest });

const remove = (path: string, id: string, summary: string): ModelOperation => ({
  ...post(path, id, summary, { response: "AnyObject" }),
  method: "delete",
});

const CONVERSATION = `${PATHS.conversations}/{id}`;
const ANY = { response: "AnyObject" };
const ANY_TO_ANY = { body: "AnyObject", response: "AnyObject" };
const CONVERSATION_OPERATIONS: readonly ModelOperation[] = [
  post(PATHS.conversations, "createConversation", "Create a conversation; free", ANY_TO_ANY),
  get(CONVERSATION, "getConversation", "Read a conversation; free", ANY),
  post(CONVERSATION, "updateConversation", "Change a conversation's metadata; free", ANY_TO_ANY),
  remove(CONVERSATION, "deleteConversation", "Delete a conversation; free"),
  get(`${CONVERSATION}/items`, "listConversationItems", "List the items of a conversation; free", ANY),
  post(`${CONVERSATION}/items`, "addConversationItems", "Add items to a conversation; free", ANY_TO_ANY),
  get(`${CONVERSATION}/items/{item_id}`, "getConversationItem", "Read an item of a conversation; free", ANY),
  remove(`${CONVERSATION}/items/{item_id}`, "deleteConversationItem", "Delete an item of a conversation; free"),
];

/** Every operation of the model API. */
export const MODEL_OPERATIONS: readonly ModelOperation[] = [
  post(PATHS.chatCompletions, "createChatCompletion", "Chat in OpenAI's format", {
    body: "ChatRequest",
    response: "ChatResponse",
    streams: true,
  }),
  post(PATHS.messages, "createMessage", "Chat in Anthropic's format", {
    tag: "Anthropic",
    body: "MessagesRequest",
    response: "MessagesResponse",
    streams: true,
    errors: "AnthropicError",
  }),
  post(PATHS.messagesCountTokens, "countMessageTokens", "Count the tokens of messages; free", {
    tag: "Anthropic",
    body: "CountMessagesRequest",
    response: "CountMessagesResponse",
    errors: "AnthropicError",
  }),
  google("generateContent", "generateContent", "Chat in Google's format", {
    body: "GenerateRequest",
    response: "GenerateResponse",
  }),
  google(
    "streamGenerateContent",
    "streamGenerateContent",
    "Stream a chat: a JSON array, or SSE events with `alt=sse`",
    {
      body: "GenerateRequest",
      streams: true,
    },
  ),
  google("countTokens", "countContentTokens", "Count the tokens of contents; free", {
    body: "GenerateRequest",
    response: "CountContentsResponse",
  }),
  google("embedContent", "embedContent", "Embed one content", { body: "EmbedContentRequest", response: "AnyObject" }),
  google("batchEmbedContents", "batchEmbedContents", "Embed several contents", {
    body: "EmbedContentRequest",
    response: "AnyObject",
  }),
  post(PATHS.responses, "createResponse", "Create a response", {
    body: "ResponsesRequest",
    response: "ResponsesResponse",
    streams: true,
  }),
  get(
    "/v1/responses/{id}",
    "getResponse",
    "Read a stored response, or its events with `stream=true&starting_after=`; free",
    { response: "AnyObject" },
  ),
  {
    ...get("/v1/responses/{id}", "deleteResponse", "Delete a stored response; free", { response: "AnyObject" }),
    method: "delete",
  },
  post("/v1/responses/{id}/cancel", "cancelResponse", "Cancel a background response; free", { response: "AnyObject" }),
  get("/v1/responses/{id}/input_items", "listResponseInputItems", "List the input of a stored response; free", {
    response: "AnyObject",
  }),
  post(PATHS.responsesInputTokens, "countResponseInputTokens", "Count the tokens of a response's input; free", {
    body: "ResponsesInputTokensRequest",
    response: "ResponsesInputTokens",
  }),
  post(PATHS.responsesCompact, "compactResponse", "Compact a conversation", {
    body: "ResponsesRequest",
    response: "ResponsesResponse",
  }),
  ...CONVERSATION_OPERATIONS,
  post(PATHS.completions, "createCompletion", "Complete a text", {
    body: "CompletionsRequest",
    response: "AnyObject",
    streams: true,
  }),
  post(PATHS.embeddings, "createEmbedding", "Embed texts", {
    body: "EmbeddingsRequest",
    response: "EmbeddingsResponse",
  }),
  post("/v1/engines/{model}/embeddings", "createEngineEmbedding", "Embed texts, the model in the path", {
    body: "AnyObject",
    response: "EmbeddingsResponse",
  }),
  post(PATHS.moderations, "createModeration", "Classify texts", { body: "ModerationsRequest", response: "AnyObject" }),
  post(PATHS.imageGenerations, "createImage", "Create images", { body: "ImagesRequest", response: "ImagesResponse" }),
  post(PATHS.imageEdits, "editImage", "Edit an image", { form: "ImageEditsForm", response: "ImagesResponse" }),
  post(PATHS.transcriptions, "createTranscription", "Transcribe a recording", {
    form: "AudioForm",
    response: "AnyObject",
  }),
  post(PATHS.translations, "createTranslation", "Translate a recording to English", {
    form: "AudioForm",
    response: "AnyObject",
  }),
  post(PATHS.speech, "createSpeech", "Convert text to speech; the response is audio", { body: "SpeechRequest" }),
  post(PATHS.rerank, "rerank", "Rank documents", { body: "RerankRequest", response: "AnyObject", tag: "Cohere" }),
  post(PATHS.rerankV2, "rerankV2", "Rank documents", { body: "RerankRequest", response: "AnyObject", tag: "Cohere" }),
  get(PATHS.realtime, "openRealtimeSession", "Open a Realtime session, by WebSocket", {}),
  get(PATHS.key, "readKey", "Read the key's limit and usage; free", { response: "KeyFacts", tag: "Balance" }),
  get(PATHS.authKey, "readAuthKey", "Read the key's limit and usage; free", { response: "KeyFacts", tag: "Balance" }),
  get(PATHS.generation, "readGeneration", "Read what a call cost, by the `id` of the query; free", {
    response: "Generation",
    tag: "Balance",
  }),
  get("/v1/models", "listModels", "List the models that the key may call; free", { response: "ModelList" }),
  get("/v1/models/{model}", "getModel", "Read one model; free", { response: "ModelFacts" }),
  get("/v1beta/models", "listGoogleModels", "List the models in Google's format; free", {
    tag: "Google",
    response: "ModelList",
    errors: "GoogleError",
  }),
  get("/v1beta/models/{model}", "getGoogleModel", "Read one model in Google's format; free", {
    tag: "Google",
    response: "ModelFacts",
    errors: "GoogleError",
  }),
  get("/dashboard/billing/subscription", "getSubscription", "Read the key's limit in dollars; free", {
    tag: "Balance",
    response: "BillingSubscription",
  }),
  get("/dashboard/billing/usage", "getUsage", "Read the key's usage in hundredths of a dollar; free", {
    tag: "Balance",
    response: "BillingUsage",
  }),
  post("/mj/{action}", "submitImageTask", "Submit an image task, such as `submit/imagine`", {
    tag: "Tasks",
    body: "AnyObject",
    response: "AnyObject",
    errors: "MidjourneyError",
  }),
  get("/mj/{action}", "readImageTask", "Read an image task, such as `task/{id}/fetch`, or its image", {
    tag: "Tasks",
    response: "AnyObject",
    errors: "MidjourneyError",
  }),
  post("/suno/{action}", "submitMusicTask", "Submit a music task, such as `submit/music`", {
    tag: "Tasks",
    body: "AnyObject",
    response: "AnyObject",
    errors: "SunoError",
  }),
  get("/suno/{action}", "readMusicTask", "Read a music task, such as `fetch/{id}`", {
    tag: "Tasks",
    response: "AnyObject",
    errors: "SunoError",
  }),
  post(PATHS.playground, "createPlaygroundCompletion", "Chat from the console's playground, with its session", {
    tag: "Console",
    body: "ChatRequest",
    response: "ChatResponse",
    streams: true,
  }),
  get(PATHS.description, "getDescription", "Read this description", {
    tag: "Console",
    response: "AnyObject",
    isPublic: true,
  }),
];
