import type { Format } from './edit.ts';
import { element } from './element.ts';
import { keepFormatted } from './keep-formatted.ts';

export type Control = HTMLInputElement | HTMLSelectElement;

export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly control: Control;
  readonly onEdit: () => void;
  readonly onLeave: () => void;
  /** Formats the input while typing. */
  readonly format?: Format;
}

/** A labelled control with a note and a place for its problem. */
export interface Field {
  readonly root: HTMLElement;
  readonly control: Control;
  /** Adds information to the field; screen readers hear it with the label. */
  note(text: string): void;
  problem(text: string): void;
  /** Blocks changes while locked; the focus stays. */
  lock(on: boolean): void;
}

/** Connects a control with label, note and problem. The problem's place is a live region from the start. */
export function createField({ name, label, control, format, ...on }: FieldOptions): Field {
  const note = element('span', { id: `${name}-note`, class: 'note' });
  const problem = element('p', { id: `${name}-problem`, class: 'problem', role: 'alert' });
  control.id = control.name = name;
  control.setAttribute('aria-describedby', `${name}-note ${name}-problem`);
  if (format && control instanceof HTMLInputElement) keepFormatted(control, format, on.onEdit);
  else control.addEventListener('input', on.onEdit);
  control.addEventListener('blur', on.onLeave);
  const head = element('div', { class: 'head' }, element('label', { for: name }, label), note);
  return {
    root: element('div', { class: `field ${name}` }, head, control, problem),
    control,
    note: (text) => setText(note, text),
    problem(text) {
      setText(problem, text);
      control.setAttribute('aria-invalid', String(text !== ''));
    },
    lock(on) {
      if (control instanceof HTMLInputElement) control.readOnly = on;
      else control.disabled = on;
    },
  };
}

/** Setting the same text again would make screen readers repeat it. */
function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
