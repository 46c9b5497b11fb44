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
    ['with spaces', 'no 4242 4242 4242 4242.', 'no 4242 42** **** 4242.'],
    ['with dashes', '4242-4242-4242-4242', '4242-42**-****-4242'],
    [
      'as forms write spaces',
      'n=4242+4242+4242+4242&m=4242%204242%204242%204242',
      'n=4242+42**+****+4242&m=4242%2042**%20****%204242',
    ],
    [
      'as XML writes spaces',
      '<n>4242&#32;4242&nbsp;4242&#160;4242</n>',
      '<n>4242&#32;42**&nbsp;****&#160;4242</n>',
    ],
    ['behind its own first digits', `424242${secrets.pan}`, '424242************4242'],
    ['as a name', { [secrets.pan]: 1 }, { [MASK]: 1 }],
    ['as a number', [4_242_424_242_424_242], [MASK]],
    ['with more digits behind it', '42424242424242420512', `${MASK}0512`],
  ])('%s', (_name, answer, expected) => {
    expect(scrub(answer, secrets)).toEqual(expected);
  });

  test('as every number with the same first six and last four digits, which the server knows', () => {
    const candidates = ['4242420000004242', '4242424242424242', '4242429999994242'];
    const written = (number: string) => ({
      text: `a ${number} b ${number.replace(/(?=(....)+$)/g, ' ')}`,
      [number]: Number(number),
      list: candidates.join(''),
    });
    const answers = candidates.map((number) => JSON.stringify(scrub(written(number), secrets)));
    expect(new Set(answers).size).toBe(1);
    const long = { ...secrets, pan: '4444333322221111455' };
    const rounded = [long.pan, '4444339999991111455'].map((pan) =>
      scrub(JSON.parse(`[${pan}]`), long),
    );
    expect(rounded[0]).toEqual(rounded[1]);
  });

  test('as a number that was rounded by a parser', () => {
    const pan = '4444333322221111455';
    const answer: unknown = JSON.parse(`{"n":${pan}}`);
    expect(scrub(answer, { ...secrets, pan })).toEqual({ n: '444433*********1455' });
  });

  test('as a number of 16 digits that a parser rounded', () => {
    const pan = '9792030394441091';
    expect(scrub(JSON.parse(`[${pan}]`), { ...secrets, pan })).toEqual(['979203******1091']);
  });

  test('as a number whose rounding carries into the first six digits', () => {
    const pan = '4444339999999999999';
    expect(scrub(JSON.parse(`[${pan}]`), { ...secrets, pan })).toEqual(['444433*********9999']);
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

test('every text that could be a verification value is masked alike', () => {
  const answers = ['987', '986', '9876'].map((code) =>
    scrub({ cvc: code, text: `cid 111 ${code} 222`, number: { cvv: Number(code) } }, secrets),
  );
  expect(answers[0]).toEqual({ cvc: '***', text: 'cid *** *** ***', number: { cvv: '***' } });
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});

test.each(['pay_2rinhchmcvcoez2mn773jcd3p', 'CVNV456OPG6C7RFL', 'CvNJZBeTQ-123-WSMXr9esw'])(
  'the id %s of a processor is no verification value',
  (id) => {
    expect(scrub({ id, link: `/payments/${id}/captures` }, secrets)).toEqual({
      id,
      link: `/payments/${id}/captures`,
    });
  },
);

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
  ['security_code_987_not_valid', 'security_code_***_not_valid'],
  ['cvv: 987-2030-12-John-Smith', 'cvv: ***-***-12-John-Smith'],
  ['%7B%22cvc%22%3A%22987%22%7D', '%7B%22cvc%22%3A%22***%22%7D'],
  ['<cvv>98712</cvv>', '<cvv>98712</cvv>'],
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
