const KEYS = /^(?:Tab|Arrow|Page|Home|End|F6)/;

let usesKeys = false;

/** Follows whether the person moves by keyboard: typing into a form, and Enter in it, says nothing about that. */
export function watchKeys(): void {
  addEventListener('keydown', ({ key }) => {
    if (KEYS.test(key)) usesKeys = true;
  });
  addEventListener('pointerdown', () => {
    usesKeys = false;
  });
}

/** Whether the person moved by keyboard last. */
export const movesByKeys = (): boolean => usesKeys;
