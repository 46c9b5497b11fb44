import type { TextName, Texts } from '../texts.ts';
import type { Field } from './field.ts';

export type Problems<Name extends string> = Partial<Record<Name, TextName>>;

/** Fields that are validated together. */
export interface Section {
  readonly root: HTMLElement;
  ready(): boolean;
  /** Shows every problem and returns the first control that has one. */
  showProblems(): HTMLElement | undefined;
  lock(on: boolean): void;
}

export interface SectionOptions<Name extends string> {
  readonly root: HTMLElement;
  readonly fields: Readonly<Record<Name, Field>>;
  readonly text: Texts;
  readonly problems: () => Problems<Name>;
}

/** Creates a section, with its handlers for edits and for leaving a field. */
export function createSection<Name extends string>(options: SectionOptions<Name>) {
  const { root, fields, text, problems } = options;
  const names = Object.keys(fields) as Name[];
  const showProblem = (name: Name, problem: TextName | undefined): void =>
    fields[name].problem(problem ? text(problem) : '');
  const section: Section = {
    root,
    ready: () => names.every((name) => !problems()[name]),
    showProblems() {
      const fieldProblems = problems();
      for (const name of names) showProblem(name, fieldProblems[name]);
      const first = names.find((name) => fieldProblems[name]);
      return first && fields[first].control;
    },
    lock(on) {
      for (const name of names) fields[name].lock(on);
    },
  };
  return {
    section,
    /** A solved problem disappears immediately. A new problem appears when the cardholder leaves the field. */
    edited(name: Name): void {
      if (!problems()[name]) showProblem(name, undefined);
    },
    /** Ignores empty fields: passing through a field is no mistake. */
    left(name: Name): void {
      if (fields[name].control.value !== '') showProblem(name, problems()[name]);
    },
  };
}
