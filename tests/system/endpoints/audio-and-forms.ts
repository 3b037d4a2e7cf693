import { describe, expect, it } from "vitest";
import type { EndpointSite } from "./endpoint-site.ts";

/** Two seconds of silence at 16 kB per second. */
function recording(): File {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt32LE(16_000, 28);
  head.write("data", 36);
  head.writeUInt32LE(32_000, 40);
  return new File([head, Buffer.alloc(32_000)], "a.wav", { type: "audio/wav" });
}

/** Audio in formats of other providers, files in forms, and streams of images and transcripts. */
export function audioAndForms(at: EndpointSite): void {
  describe("speech in other upstream formats", () => {
    it("is returned by MiniMax as audio of the requested format, charged by the characters it reports", async () => {
      const { client } = await at.createCaller();
      const requested = { model: "speech-2.8-hd", voice: "Wise_Woman", input: "今天是不是很开心呀" } as const;
      const response = await client.audio.speech.create(requested);
      expect(response.headers.get("content-type")).toBe("audio/mpeg");
      expect(Buffer.from(await response.arrayBuffer()).toString("hex")).toBe("fffb90000102");
      expect(await at.readRow(response.headers.get("x-request-id"))).toMatchObject({ prompt_tokens: 26, quota: 1_300 });
      const events = await client.audio.speech.create({ ...requested, stream_format: "sse" });
      expect(events.headers.get("content-type")).toContain("text/event-stream");
      expect(await events.text()).toMatch(/speech\.audio\.delta.*\n\n.*speech\.audio\.done.*"input_tokens":26/);
      const stranger = client.audio.speech.create({ ...requested, voice: "alloy" });
      await expect(stranger).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining("voice id") as string,
      });
    });

    it("is fetched from DashScope by the URL in its response, or extracted from the response", async () => {
      const { client } = await at.createCaller();
      const requested = { model: "qwen3-tts-flash", voice: "Cherry", input: "今天是不是很开心呀" } as const;
      const response = await client.audio.speech.create(requested);
      expect(response.headers.get("content-type")).toBe("audio/wav");
      expect(Buffer.from(await response.arrayBuffer()).toString("latin1", 0, 4)).toBe("RIFF");
      expect(await at.readRow(response.headers.get("x-request-id"))).toMatchObject({ prompt_tokens: 20, quota: 100 });
      const samples = await client.audio.speech.create({ ...requested, response_format: "pcm" });
      expect(Buffer.from(await samples.arrayBuffer()).toString("hex")).toBe("01020304");
      const other = await client.audio.speech.create({ ...requested, model: "cosyvoice-v3-flash" });
      expect(other.headers.get("content-type")).toBe("audio/mpeg");
      expect(Buffer.from(await other.arrayBuffer()).toString("hex")).toBe("fffb9000");
      const stranger = client.audio.speech.create({ ...requested, voice: "alloy" });
      await expect(stranger).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining("Voice") as string,
      });
    });
  });

  describe("multipart forms", () => {
    it("transcribes files, as JSON and as text, charged by the second", async () => {
      const { client } = await at.createCaller();
      at.upstream.always({}, { text: "Grüezi mitenand" });
      const requested = { model: "whisper-1", file: recording() };
      const { data, request_id } = await client.audio.transcriptions.create(requested).withResponse();
      expect(data.text).toBe("Grüezi mitenand");
      expect(at.upstream.calls[0]?.body).toMatchObject({ model: "whisper-1" });
      expect(String(at.upstream.calls[0]?.body["file"])).toHaveLength(32_044);
      expect(await at.readRow(request_id)).toMatchObject({ prompt_tokens: 33, quota: 100 });
      at.upstream.always({}, { raw: { headers: { "content-type": "text/plain" }, body: "Grüezi" } });
      const plain = await client.audio.transcriptions.create({ ...requested, response_format: "text" });
      expect(plain).toBe("Grüezi");
    });

    it("sends upstream the mapped model name and every byte of the file unchanged", async () => {
      const { client } = await at.createCaller();
      at.upstream.always({}, { text: "Hi" });
      await client.audio.transcriptions.create({ model: "hearing", file: recording() });
      expect(at.upstream.calls[0]?.body).toMatchObject({ model: "FunAudioLLM/SenseVoiceSmall" });
      expect(String(at.upstream.calls[0]?.body["file"])).toHaveLength(32_044);
    });

    it("processes image edits at the price of images", async () => {
      const { client } = await at.createCaller();
      const image = new File([Buffer.from([1, 2, 3])], "a.png", { type: "image/png" });
      const { data, request_id } = await client.images
        .edit({ model: "dall-e-2", image, prompt: "a hat", size: "256x256", n: 2 })
        .withResponse();
      expect(data.data?.[0]?.url).toBe("https://images/1.png");
      expect(await at.readRow(request_id)).toMatchObject({ quota: 8_000 });
    });

    it("refuses forms without a file, and truncated forms", async () => {
      const { key } = await at.createCaller();
      const send = (body: string, type: string): Promise<Response> =>
        fetch(`${at.world.relayUrl}/v1/audio/transcriptions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": type },
          body,
        });
      expect((await send('{"model":"whisper-1"}', "application/json")).status).toBe(400);
      expect((await send("--x\r\nContent-Disposition: form-data", "multipart/form-data; boundary=x")).status).toBe(400);
      expect(at.upstream.calls).toHaveLength(0);
    });
  });

  describe("streams of non-chat endpoints", () => {
    const events = (...data: readonly object[]) => ({
      headers: { "content-type": "text/event-stream" },
      body: data.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
    });

    it("returns partial images, charged by their tokens", async () => {
      const { client } = await at.createCaller();
      const counted = { input_tokens: 10, output_tokens: 272, total_tokens: 282 };
      const drawn = { type: "image_generation.completed", b64_json: "AA==", usage: counted };
      const partial = { type: "image_generation.partial_image", b64_json: "AA==", partial_image_index: 0 };
      at.upstream.always({}, { raw: events(partial, drawn) });
      const { data, request_id } = await client.images
        .generate({ model: "gpt-image-1", prompt: "a cat", stream: true, partial_images: 1 })
        .withResponse();
      const types: string[] = [];
      for await (const event of data) types.push(event.type);
      expect(types).toEqual(["image_generation.partial_image", "image_generation.completed"]);
      // (10 + 272 × 8) × 2.5
      expect(await at.readRow(request_id)).toMatchObject({ quota: 5_465, prompt_tokens: 10, completion_tokens: 272 });
    });

    it("returns a partial transcript, and cuts the response if upstream ends early", async () => {
      const { client } = await at.createCaller();
      const delta = { type: "transcript.text.delta", delta: "Grüezi" };
      const done = { type: "transcript.text.done", text: "Grüezi", usage: { input_tokens: 14, output_tokens: 4 } };
      at.upstream.next({}, { raw: events(delta, done) });
      const requested = { model: "hearing", file: recording(), stream: true } as const;
      const { data, request_id } = await client.audio.transcriptions.create(requested).withResponse();
      const types: string[] = [];
      for await (const event of data) types.push(event.type);
      expect(types).toEqual(["transcript.text.delta", "transcript.text.done"]);
      expect(await at.readRow(request_id)).toMatchObject({ prompt_tokens: 14, completion_tokens: 4, is_stream: true });
      at.upstream.next({}, { raw: events(delta) });
      const cut = await client.audio.transcriptions.create(requested);
      const reading = async (): Promise<void> => {
        for await (const event of cut) types.push(event.type);
      };
      await expect(reading()).rejects.toThrow(/upstream/);
    });
  });
}
