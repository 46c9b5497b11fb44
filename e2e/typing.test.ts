import fc from 'fast-check';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CheckoutPage } from './support/checkout-page.ts';
import { useTestbed } from './support/use-testbed.ts';

const setup = useTestbed();
/** Longest number of the network that the row begins with. */
const DIGITS_MAX = 19;
const SEQUENCES = 12;

/** An unformatted row of digits, with a cursor between two of them. */
interface Row {
  readonly digits: string;
  readonly cursor: number;
}

type Step =
  | { readonly key: 'Backspace' | 'Delete' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End' }
  | { readonly text: string };

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...'0123456789').map((text) => ({ text })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('4242 4242', '12-34', '４２', '٤٢', 'abc').map((text) => ({ text })),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('Backspace', 'Delete', 'ArrowLeft', 'ArrowRight', 'Home', 'End')
      .map((key) => ({ key }) as Step),
  },
);

const digitsIn = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\D/g, '');

/** Effect of the step on the row; undefined if only the browser knows, because carets step over separators. */
function rowAfter({ digits, cursor }: Row, step: Step): Row | undefined {
  const removeDigit = (at: number): string => digits.slice(0, at) + digits.slice(at + 1);
  if ('text' in step) {
    const addedDigits = digitsIn(step.text);
    const row = (digits.slice(0, cursor) + addedDigits + digits.slice(cursor)).slice(0, DIGITS_MAX);
    return { digits: row, cursor: Math.min(cursor + addedDigits.length, row.length) };
  }
  if (step.key === 'Backspace') {
    return cursor === 0
      ? { digits, cursor }
      : { digits: removeDigit(cursor - 1), cursor: cursor - 1 };
  }
  return step.key === 'Delete' ? { digits: removeDigit(cursor), cursor } : undefined;
}

const rowOf = async (input: Locator): Promise<Row> => {
  const { value, caret } = await input.evaluate((node: HTMLInputElement) => ({
    value: node.value,
    caret: node.selectionStart ?? 0,
  }));
  return { digits: digitsIn(value), cursor: digitsIn(value.slice(0, caret)).length };
};

async function checkSteps({ page, form }: CheckoutPage, steps: readonly Step[]): Promise<void> {
  const input = form.locator('#number');
  // All rows start as one network's, so that a shorter network does not cut them.
  await input.fill('4');
  let row: Row = { digits: '4', cursor: 1 };
  for (const step of steps) {
    if (row.cursor === 0 && 'key' in step === false) continue;
    if (row.cursor === 0 && 'key' in step && step.key === 'Delete') continue;
    if (row.cursor === 1 && 'key' in step && step.key === 'Backspace') continue;
    // A valid number moves the focus to the next field.
    await input.focus();
    if ('text' in step) await page.keyboard.insertText(step.text);
    else await page.keyboard.press(step.key);
    const actualRow = await rowOf(input);
    const expected = rowAfter(row, step) ?? { ...actualRow, digits: row.digits };
    expect(actualRow, JSON.stringify({ row, step })).toEqual(expected);
    row = actualRow;
  }
}

describe('what is typed and pasted', () => {
  it('#25 in a real browser equals an unformatted row of digits', {
    timeout: 240_000,
  }, async () => {
    const shop = await setup.reopen();
    await shop.form.locator('#number').waitFor();
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 5, maxLength: 25 }), (steps) =>
        checkSteps(shop, steps),
      ),
      { numRuns: SEQUENCES, endOnFailure: true },
    );
  });

  it('#25 into a field is shown as digits with its separators', async () => {
    const { form, page } = await setup.reopen();
    for (const [id, text, expectedText] of [
      ['number', '4242 4242 4242 4242', '4242 4242 4242 4242'],
      ['number', ' 3782-822463-10005\n', '3782 822463 10005'],
      ['number', '4444333322221111455', '4444 3333 2222 1111 455'],
      ['expiry', '12/2030', '12 / 30'],
      ['expiry', '0 1 / 3 0', '01 / 30'],
      ['expiry', '2030-12', '12 / 30'],
      ['cvv', ' 1 2 3 ', '123'],
    ] as const) {
      const input = form.locator(`#${id}`);
      await input.fill('');
      await page.keyboard.insertText(text);
      expect(await input.inputValue(), text).toBe(expectedText);
    }
  });

  it("#25 is left alone during an input method's composition, and formatted afterwards", async () => {
    const shop = await setup.reopen();
    const input = shop.form.locator('#number');
    await input.focus();
    const fieldValues = await input.evaluate((node: HTMLInputElement) => {
      const values: string[] = [];
      const compose = (text: string, isComposing: boolean) => {
        node.value = text;
        node.dispatchEvent(
          new InputEvent('input', { isComposing, inputType: 'insertCompositionText' }),
        );
        values.push(node.value);
      };
      compose('４００５', true);
      compose('４００５５', true);
      node.dispatchEvent(new CompositionEvent('compositionend'));
      values.push(node.value);
      return values;
    });
    expect(fieldValues).toEqual(['４００５', '４００５５', '4005 5']);
  });
});
