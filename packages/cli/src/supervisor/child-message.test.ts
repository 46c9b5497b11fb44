import { describe, expect, it } from 'vitest';
import { parseChildMessage } from './child-message.ts';

describe('a message of a child', () => {
  it.each([
    [
      { type: 'ready', url: 'http://127.0.0.1:1' },
      { type: 'ready', url: 'http://127.0.0.1:1' },
    ],
    [
      { type: 'failed', message: 'No.' },
      { type: 'failed', message: 'No.' },
    ],
    [{ type: 'failed' }, undefined],
    [{ type: 'else' }, undefined],
    [{}, undefined],
    [null, undefined],
    ['ready', undefined],
  ])('%j is read as %j', (message, expected) => {
    expect(parseChildMessage(message)).toEqual(expected);
  });
});
