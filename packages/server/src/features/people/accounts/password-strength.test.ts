import { describe, expect, it } from 'vitest';
import { isGuessable } from './password-strength.ts';

const EMAIL = 'ada.lovelace@engines.example';

describe('a password of twelve characters or more', () => {
  it.each([
    ['a breached one', 'liverpool1234'],
    ['a breached one with other letters', 'P@ssw0rd1234'],
    ['a breached one twice', 'hunter2hunter2'],
    ['a name with years', 'michelle19871987'],
    ['keys beside each other', 'qwertyuiop[]'],
    ['a row of letters', 'abcdefghijklm'],
    ['the name of the person', 'lovelace2026'],
    ['the name of the host', 'engines-1234'],
    ['the name of this service', 'florinflorin1'],
  ])('is guessable: %s', (_what, password) => {
    expect(isGuessable(password, EMAIL)).toBe(true);
  });

  it.each(['a mill and a store', 'correct horse battery', 'q9#Vt!pL0zX2', 'Ünïcode-Mühle 7'])(
    'is not guessable: %s',
    (password) => {
      expect(isGuessable(password, EMAIL)).toBe(false);
    },
  );
});
