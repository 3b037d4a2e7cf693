import type { ReactNode } from "react";
import { create } from "zustand";

export type Question = {
  readonly title: string;
  readonly description?: ReactNode;
  readonly action: string;
  readonly danger?: boolean;
  /** What must be typed before the action can be taken. */
  readonly typed?: string;
};

type ConfirmState = {
  readonly question: Question | undefined;
  readonly answer: (yes: boolean) => void;
};

/** The question that waits for an answer. */
export const useConfirm = create<ConfirmState>(() => ({ question: undefined, answer: () => {} }));

/** Asks before something that cannot be taken back; true when the person went ahead. Name the thing in the title. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    useConfirm.setState({
      question,
      answer: (yes) => {
        useConfirm.setState({ question: undefined, answer: () => {} });
        resolve(yes);
      },
    });
  });
}
