import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createEmailTexts } from './texts-on-read.ts';

const logLines: string[] = [];
const logger = pino({}, { write: (line) => void logLines.push(line) });
const compute = (facts: object) =>
  createEmailTexts({ logger }).compute({
    merchant_id: 'merchant',
    id: 'email',
    kind: 'receipt',
    mode: 'sandbox',
    locale: 'en',
    facts: JSON.stringify(facts),
  });

const sums = { amount_cents: '2500', amount_currency: 'USD' };

it('an email with brand and card in its facts is rendered', () => {
  const card = { kind: 'visa', last_four: '4242' };
  const draft = compute({ ...sums, merchant: { business_name: 'Roses' }, card });
  expect(draft).toMatchObject({
    subject: 'Your receipt from Roses',
    text: expect.stringContaining('Visa •••• 4242'),
    html: expect.stringContaining('$25.00'),
  });
});

it('an email without a brand keeps its stored texts', () => {
  expect(compute(sums)).toEqual({});
  expect(logLines).toEqual([]);
});

it('an email that cannot be rendered has no texts, and is logged', () => {
  const facts = { ...sums, amount_currency: 'no currency', merchant: { business_name: 'Roses' } };
  expect(compute(facts)).toEqual({});
  expect(logLines).toEqual([expect.stringContaining('email not rendered')]);
  expect(logLines[0]).toContain('"email":"email"');
});
