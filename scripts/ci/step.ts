/** A tool that a step needs and that is not part of the product: a container engine, a Kubernetes. */
export type Tool = {
  /** Starts it and tries it; "unavailable" is no result about the product, "failed" is a fault of the product. */
  prepare(): Promise<Readiness>;
  stop(): Promise<void>;
};

export type Readiness =
  | {
      readonly state: "ready";
      readonly env?: Readonly<Record<string, string>>;
      /** Parts of the step that are not tested, each with its reason. */
      readonly leftOut?: readonly string[];
    }
  | { readonly state: "unavailable"; readonly reason: string }
  /** `output`: the last lines of what failed. */
  | { readonly state: "failed"; readonly reason: string; readonly output: string };

/** One check of `.ci/run`. */
export type Step = {
  readonly name: string;
  /** The command is ended after that, and the step has failed. */
  readonly limitSeconds: number;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Vitest's JSON report of the command: its tests are counted, else the step counts as one test. */
  readonly reportFile?: string;
  /** Whether it runs once more, alone, at the end after a failure; with a report, its failed files only (`TEST_FILES`). */
  readonly isRepeatable?: boolean;
  /** Runs before it is repeated: removes what the first run left. */
  readonly reset?: readonly string[];
  /** Programs without which it is not tested. */
  readonly programs?: readonly string[];
  readonly tool?: Tool;
  /** Tools that are prepared while this step runs. */
  readonly meanwhile?: Tool;
};

/** A failure that the summary names: a test, a file that could not run, or the step itself. */
export type Failure = { readonly file?: string; readonly title: string; readonly error: string };

export type StepResult = {
  readonly name: string;
  readonly state: "passed" | "failed" | "not tested";
  /** Why it was not tested. */
  readonly reason?: string;
  /** Parts of a tested step that were not tested, each with its reason. */
  readonly leftOut?: readonly string[];
  readonly seconds: number;
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** What failed first and passed when it ran once more, alone. */
  readonly unstable: readonly Failure[];
  /** Seconds by test file. */
  readonly files: Readonly<Record<string, number>>;
};
