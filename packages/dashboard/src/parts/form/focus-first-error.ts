/** Focuses the first input with an error, in the frame after the inputs show their errors. Opens its hidden group. */
export const focusFirstError = (within: ParentNode): void =>
  void requestAnimationFrame(() => {
    const input = within.querySelector<HTMLElement>('[aria-invalid="true"]');
    input?.closest('details')?.setAttribute('open', '');
    input?.focus();
  });
