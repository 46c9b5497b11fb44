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
  /** Rewrites what is typed. */
  readonly format?: Format;
}

/** One labelled control with a note beside its label and a place for its problem. */
export interface Field {
  readonly root: HTMLElement;
  readonly control: Control;
  /** Says more about the entry; read out with the label. */
  note(text: string): void;
  problem(text: string): void;
  /** While it is locked nothing can be changed, yet focus stays where it is. */
  lock(on: boolean): void;
}

/** Wires a control up as a field: label, note, problem. The place of the problem is a live region from the start. */
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

/** Writing the same text again would make screen readers say it again. */
function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
