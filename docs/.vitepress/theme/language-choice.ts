const STORE = 'florin-docs-language';

/** Shows all samples of a page in the language that the reader chose last. */
export function followLanguageChoice(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.vp-code-group')) return;
    localStorage.setItem(STORE, titleOf(target));
    applyLanguageChoice();
  });
}

/** Selects the chosen language in each group of samples that has it. */
export function applyLanguageChoice(): void {
  const choice = localStorage.getItem(STORE);
  for (const group of document.querySelectorAll('.vp-code-group')) {
    const inputs = [...group.querySelectorAll('input')];
    const index = inputs.findIndex((input) => titleOf(input) === choice);
    if (index >= 0) selectTab(group, inputs, index);
  }
}

const titleOf = ({ labels }: HTMLInputElement): string => labels?.[0]?.textContent ?? '';

function selectTab(group: Element, inputs: readonly HTMLInputElement[], index: number): void {
  const blocks = [...(group.querySelector('.blocks')?.children ?? [])];
  for (const [position, block] of blocks.entries()) {
    block.classList.toggle('active', position === index);
  }
  const input = inputs[index];
  if (input) input.checked = true;
}
