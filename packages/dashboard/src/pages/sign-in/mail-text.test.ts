import { expect, it } from 'vitest';
import { paragraphsOf } from './mail-text.ts';

it('the button of an email is a link with its label, without the colon', () => {
  const url = 'http://localhost:8080/dashboard/invitation?token=abc';
  expect(paragraphsOf(`Welcome\n\nAccept invitation:\n${url}\n\n--\nFlorin\n`)).toEqual([
    { text: 'Welcome' },
    { text: 'Accept invitation', url },
    { text: '--\nFlorin\n' },
  ]);
});

it('another paragraph that ends with an address is no link', () => {
  const text = 'Look at https://example.com\nhttps://example.org';
  expect(paragraphsOf(text)).toEqual([{ text }]);
});
