import type { TextName, Texts } from '../texts.ts';
import type { Field } from './field.ts';

export type Problems<Name extends string> = Partial<Record<Name, TextName>>;

/** Fields that are judged together. */
export interface Section {
  readonly root: HTMLElement;
  ready(): boolean;
  /** Shows every problem; gives the first control that has one. */
  showProblems(): HTMLElement | undefined;
  lock(on: boolean): void;
}

export interface SectionOptions<Name extends string> {
  readonly root: HTMLElement;
  readonly fields: Readonly<Record<Name, Field>>;
  readonly text: Texts;
  readonly problems: () => Problems<Name>;
}

/** A section, and what its fields do when they are edited and left. */
export function createSection<Name extends string>(options: SectionOptions<Name>) {
  const { root, fields, text, problems } = options;
  const names = Object.keys(fields) as Name[];
  const say = (name: Name, problem: TextName | undefined): void =>
    fields[name].problem(problem ? text(problem) : '');
  const section: Section = {
    root,
    ready: () => names.every((name) => !problems()[name]),
    showProblems() {
      const found = problems();
      for (const name of names) say(name, found[name]);
      const first = names.find((name) => found[name]);
      return first && fields[first].control;
    },
    lock(on) {
      for (const name of names) fields[name].lock(on);
    },
  };
  return {
    section,
    /** A problem that is mended goes at once; a new one waits until the field is left. */
    edited(name: Name): void {
      if (!problems()[name]) say(name, undefined);
    },
    /** An empty field that is merely passed through is not yet a mistake. */
    left(name: Name): void {
      if (fields[name].control.value !== '') say(name, problems()[name]);
    },
  };
}
