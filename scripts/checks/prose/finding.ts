/** A place in a file that breaks a rule of STYLE.md. */
export interface Finding {
  /** Path below the repository's root. */
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
  readonly rule: string;
  /** Problem, and the text to write instead. */
  readonly advice: string;
}

export const lineOfFinding = ({ file, line, rule, advice }: Finding): string =>
  `${file}:${line} ${rule}: ${advice}`;
