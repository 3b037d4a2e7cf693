import { useDeferredValue, useMemo } from "react";
import { RichText } from "../../components/rich-text/rich-text.tsx";
import { answerHtml } from "./response-html.ts";

/** What a model wrote, as markdown. Nothing in it can run. Load it with `lazy`. */
export function AnswerText({ source }: { readonly source: string }) {
  const shown = useDeferredValue(source);
  const html = useMemo(() => answerHtml(shown), [shown]);
  return <RichText html={html} />;
}
