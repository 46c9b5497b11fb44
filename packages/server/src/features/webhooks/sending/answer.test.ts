import { expect, it } from 'vitest';
import { storedHeaders } from './answer.ts';

const CARD = '4111111111111111';

it.each([
  ['a full-width quotation mark', '＂'],
  ['a full-width backslash', '＼'],
  ['a quotation mark', '"'],
  ['a soft hyphen', '\u00ad'],
])('headers with a card number behind %s are stored as JSON without it', (_, sign) => {
  const headers = JSON.parse(storedHeaders({ 'x-card': `${sign} ${CARD}` }));
  expect(Object.keys(headers)).toEqual(['x-card']);
  expect(headers['x-card']).toContain('411111******1111');
});
