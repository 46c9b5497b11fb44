import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scrub } from './scrub.ts';

const SEED = 20_261_121;
const secrets = { pan: '4242424242424242', cvv: '987', expiry_month: '05', expiry_year: '2030' };
const MASK = '424242******4242';

describe('the number is masked', () => {
  test.each<[string, unknown, unknown]>([
    ['as a whole string', secrets.pan, MASK],
    ['inside a string, each time', `<${secrets.pan}|${secrets.pan}>`, `<${MASK}|${MASK}>`],
    ['with spaces', 'no 4242 4242 4242 4242.', `no ${MASK}.`],
    ['with dashes', '4242-4242-4242-4242', MASK],
    [
      'as forms write spaces',
      'n=4242+4242+4242+4242&m=4242%204242%204242%204242',
      `n=${MASK}&m=${MASK}`,
    ],
    ['as XML writes spaces', '<n>4242&#32;4242&nbsp;4242&#160;4242</n>', `<n>${MASK}</n>`],
    ['as a name', { [secrets.pan]: 1 }, { [MASK]: 1 }],
    ['as a number', [4_242_424_242_424_242], [MASK]],
    ['with more digits behind it', `${secrets.pan}051230`, `${MASK}051230`],
  ])('%s', (_name, answer, expected) => {
    expect(scrub(answer, secrets)).toEqual(expected);
  });

  test('as a number that was rounded by a parser', () => {
    const pan = '4444333322221111455';
    const answer: unknown = JSON.parse(`{"n":${pan}}`);
    expect(scrub(answer, { ...secrets, pan })).toEqual({ n: '444433*********1455' });
  });

  test('at any position', () => {
    const arbitraryAnswers = fc.jsonValue({
      maxDepth: 8,
      stringUnit: fc.constantFrom(secrets.pan, 'a', '1'),
    });
    fc.assert(
      fc.property(
        arbitraryAnswers,
        (answer) => !JSON.stringify(scrub(answer, secrets)).includes(secrets.pan),
      ),
      { seed: SEED },
    );
  });
});

test.each<[unknown, unknown]>([
  [
    { cvv: '987', securityCode: '987', card: { cvc2: 987 } },
    { cvv: '***', securityCode: '***', card: { cvc2: '***' } },
  ],
  [
    { amount: '987', response_code: 987, cvc: 'M' },
    { amount: '987', response_code: 987, cvc: 'M' },
  ],
])('a verification value is masked under its names only: %j', (answer, expected) => {
  expect(scrub(answer, secrets)).toEqual(expected);
});

test('a cryptogram is masked at any position', () => {
  const cryptogram = 'AgAAAAAABk4DWZ4C28yUQAAAAAA=';
  expect(scrub({ tavv: cryptogram, log: [`<${cryptogram}>`] }, { ...secrets, cryptogram })).toEqual(
    {
      tavv: '***',
      log: ['<***>'],
    },
  );
});

test.each<[string, string]>([
  ['<cvc>987</cvc><a>987</a>', '<cvc>***</cvc><a>987</a>'],
  ['card%5Bcvc2%5D=987&amount=9870&code=987', 'card%5Bcvc2%5D=***&amount=9870&code=987'],
  ['{"securityCode": "987", "n": 1}', '{"securityCode": "***", "n": 1}'],
  ['<cvv>9871</cvv>', '<cvv>9871</cvv>'],
])('a verification value is masked after its name in a text: %s', (text, expected) => {
  expect(scrub({ text }, secrets)).toEqual({ text: expected });
});

test('a credential is masked as JSON, XML, forms and base64 write it', () => {
  const secret = `p&ss "wörd"/1`;
  const written = [
    secret,
    'p&amp;ss &quot;wörd&quot;/1',
    'p%26ss+%22w%C3%B6rd%22%2F1',
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ];
  for (const text of written)
    expect(scrub(`<${text}>`, { ...secrets, credentials: [secret] })).toBe('<***>');
});

test('an answer without card data is unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (answer) => {
      expect(JSON.stringify(scrub(answer, secrets))).toBe(JSON.stringify(answer));
    }),
    { seed: SEED },
  );
});
