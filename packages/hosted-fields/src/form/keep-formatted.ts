import { type Deletion, type Format, plainDigits, reformat } from './edit.ts';

/** Reformats an input after every edit, except while an input method composes text. */
export function formatWhileTyping(
  input: HTMLInputElement,
  format: Format,
  onEdit: () => void,
): void {
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
}

const deletionOf = (inputType: string | undefined): Deletion | undefined =>
  /^delete\w*(Backward|Forward)$/.exec(inputType ?? '')?.[1]?.toLowerCase() as Deletion | undefined;
