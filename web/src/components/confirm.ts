import type { ReactNode } from "react";
import { create } from "zustand";

export type Question = {
  readonly title: string;
  readonly description?: ReactNode;
  readonly action: string;
  readonly danger?: boolean;
  /** The text that must be typed to confirm. */
  readonly typed?: string;
};

type ConfirmState = {
  readonly question: Question | undefined;
  readonly decide: (yes: boolean) => void;
};

/** The open question. */
export const useConfirm = create<ConfirmState>(() => ({ question: undefined, decide: () => {} }));

/** Requests confirmation before an action that cannot be undone; true when the user confirmed. Name the object in the title. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    useConfirm.setState({
      question,
      decide: (yes) => {
        useConfirm.setState({ question: undefined, decide: () => {} });
        resolve(yes);
      },
    });
  });
}
