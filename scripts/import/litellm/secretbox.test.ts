import { expect, it } from "vitest";
import { openLiteLlmValue } from "./secretbox.ts";

const SALT_KEY = "sk-salt-1234";

// Made by PyNaCl and Python's cryptography, as LiteLLM makes them.
it.each([
  ["sk-upstream-key", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXa4PO_5v-PHSh38HFqZ-7RYy3-Usfr1wg8m0Wnd5Ptg=="],
  ["openai/gpt-4o", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXh26DAExppFi8BmXbtByDUpCssVAOtQc153hWhNo="],
  ["", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXmeHfcvIOFxmVYMT8W6Gv3g=="],
  [
    "ü".repeat(100),
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXj1dnSKQ1pz36hps-HaogfDxgF4KsYOvuVLC4DHaWDMMbGa9EIlusZpzcZ_7OEiZewTadbR2LEkk0x0JNyt_amkdhp21MtQVBb1bqd6VxPX8J3TIsQj_sD0mZJU6BsQUMuP2a3njqqbJG4OLUcQPYA27ht6cm5-4bwPzAWIJBe0vEbnvs8-CJCl0wl568QAGQv7KC2dmFnRCwGaZ7mcWzrFAPEv9xCqvYZbJnBCx6Wiqpzm8pCm9UnDDDTqFAogZAUmbG2ugBEunf0OirPmh_m4WX3M8utAU_",
  ],
  ["sk-upstream-key", "v2:gcm:AAECAwQFBgcICQoL63wyuHB5jLoxsZl6a03wwNnPKLSAP1pJV89U5Eu_9w=="],
  ["sk-upstream-key", "v3:gcm:AAECAwQFBgcICQoLcCZXoz6QQcqMQqzMzREl7hPqrJzB9IqYWIOmq4hwbA=="],
])("opens %s, with its own salt key only", (text, sealed) => {
  expect(openLiteLlmValue(sealed, SALT_KEY)).toBe(text);
  expect(openLiteLlmValue(sealed, "sk-other")).toBeUndefined();
});

it("does not open what was changed, cut or never encrypted", () => {
  const sealed = Buffer.from("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXa4PO_5v-PHSh38HFqZ-7RYy3-Usfr1wg8m0Wnd5Ptg==", "base64");
  sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
  for (const value of [sealed.toString("base64"), "AAEC", "", "sk-plain-key", "v2:gcm:AAEC", "v9:gcm:AAEC"])
    expect(openLiteLlmValue(value, SALT_KEY)).toBeUndefined();
});
