import type { Format } from './edit.ts';
import { element } from './element.ts';
import { formatWhileTyping } from './keep-formatted.ts';

export type Control = HTMLInputElement | HTMLSelectElement;

export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly control: Control;
  readonly onEdit: () => void;
  readonly onLeave: () => void;
  /** Formats the input during typing. */
  readonly format?: Format;
}

/** A labelled control with a note and a message about its problem. */
export interface Field {
  readonly root: HTMLElement;
  readonly control: Control;
  /** Sets the field's note, which screen readers announce with the label. */
  note(text: string): void;
  problem(text: string): void;
  /** Blocks changes while locked. The focused field keeps the focus. */
  lock(on: boolean): void;
}

/**
 * Creates a control with label, note and problem. The problem's element is a live region from the start, so that
 * screen readers announce every change.
 */
export function createField({ name, label, control, format, ...on }: FieldOptions): Field {
  const note = element('span', { id: `${name}-note`, class: 'note' });
  const problem = element('p', { id: `${name}-problem`, class: 'problem', role: 'alert' });
  control.id = control.name = name;
  control.setAttribute('aria-describedby', `${name}-note ${name}-problem`);
  if (format && control instanceof HTMLInputElement) formatWhileTyping(control, format, on.onEdit);
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

/** Skips equal texts: setting a text again would make screen readers repeat it. */
function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
