import { describe, expect, it } from 'vitest';
import { vaultNotes } from './vault-health.ts';

const away = {
  isUp: () => false,
  downSince: () => undefined,
  health: () => undefined,
};

describe('the notes about a vault that does not answer', () => {
  it('say where to look', () => {
    expect(vaultNotes(away, true)).toEqual([expect.stringMatching(/^The vault of this server/)]);
  });

  it('are omitted while the database is away, which the vault needs too', () => {
    expect(vaultNotes(away, false)).toEqual([]);
  });
});
