import german from '@florin/contract/error-details/texts/de.json' with { type: 'json' };
import english from '@florin/contract/error-details/texts/en.json' with { type: 'json' };
import { expect, it } from 'vitest';
import names from './de/names.json' with { type: 'json' };
import { createDetailText } from './detail-text.ts';

const inGerman = createDetailText('de', { details: german, names });
const inEnglish = createDetailText('en', { details: english, names: {} });

it.each([
  ['name must have at most 200 characters.', 'Geben Sie höchstens 200 Zeichen ein.'],
  ['The file must have at most 5000000 bytes.', 'Die Datei darf höchstens 5 MB haben.'],
  [
    'This payment link is expired, which does not allow an update. No action is possible in this state.',
    '„Bearbeiten“ ist nicht möglich: Der Status ist „Abgelaufen“. Es ist keine Aktion mehr möglich.',
  ],
])('%s', (detail, text) => {
  expect(inGerman(detail)).toBe(text);
});

it('names of the interface are not shown in English either', () => {
  expect(
    inEnglish(
      "amount_cents is more than the payment's refundable amount. Send at most amount_refundable_cents.",
    ),
  ).toBe('The amount is more than what is left to refund.');
});

it('an unknown detail has no text', () => {
  expect(inGerman('Something else.')).toBeUndefined();
});
