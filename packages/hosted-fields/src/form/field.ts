import { type Deletion, type Format, plainDigits, reformat } from './edit.ts';
import { element } from './element.ts';

export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly placeholder: string;
  readonly format: Format;
  readonly onEdit: () => void;
  readonly onLeave: () => void;
}

/** One labelled input with a note beside its label and a place for its problem. */
export interface Field {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  /** Says more about the entry; read out with the label. */
  note(text: string): void;
  problem(text: string): void;
}

export function createField(options: FieldOptions): Field {
  const { name, label, autocomplete, placeholder } = options;
  const input = element('input', {
    id: name,
    name,
    autocomplete,
    placeholder,
    type: 'text',
    inputmode: 'numeric',
    dir: 'ltr',
    spellcheck: 'false',
    'aria-required': 'true',
    'aria-describedby': `${name}-note ${name}-problem`,
  });
  const note = element('span', { id: `${name}-note`, class: 'note' });
  const problem = element('p', { id: `${name}-problem`, class: 'problem', role: 'alert' });
  keepFormatted(input, options);
  return {
    root: element(
      'div',
      { class: `field ${name}` },
      element('div', { class: 'head' }, element('label', { for: name }, label), note),
      input,
      problem,
    ),
    input,
    note: (text) => setText(note, text),
    problem(text) {
      setText(problem, text);
      input.setAttribute('aria-invalid', String(text !== ''));
    },
  };
}

/** Writing the same text again would make screen readers say it again. */
function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

function keepFormatted(input: HTMLInputElement, { format, onEdit, onLeave }: FieldOptions): void {
  let before = '';
  const rewrite = (deletion?: Deletion): void => {
    const caret = input.selectionStart ?? input.value.length;
    const edited = reformat(format, { before, raw: input.value, caret, deletion });
    if (edited.text !== input.value) {
      input.value = edited.text;
      if (document.activeElement === input) input.setSelectionRange(edited.caret, edited.caret);
    }
    before = plainDigits(edited.text);
    onEdit();
  };
  input.addEventListener('input', (event) => {
    const { isComposing, inputType } = event as InputEvent;
    if (!isComposing) rewrite(deletionOf(inputType));
  });
  input.addEventListener('compositionend', () => rewrite());
  input.addEventListener('blur', onLeave);
}

const deletionOf = (inputType: string | undefined): Deletion | undefined =>
  /^delete\w*(Backward|Forward)$/.exec(inputType ?? '')?.[1]?.toLowerCase() as Deletion | undefined;
