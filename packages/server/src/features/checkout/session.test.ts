import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../platform/time/clock.ts';
import { createMountSessions } from './session.ts';

const scope = { merchant_id: '01890000-0000-7000-8000-000000000001', mode: 'sandbox' } as const;
const payment = '01890000-0000-7000-8000-000000000002';
const token = '01890000-0000-7000-8000-000000000003';
const now = 1_800_000_000_000_000;

describe('a mount session', () => {
  const sessions = createMountSessions(randomBytes(32));
  const session = sessions.open(
    { scope, payment_id: payment, threeds: 'required', token_id: token },
    now,
  );

  it('is read as it was made, for an hour', () => {
    expect(sessions.read(session, now + seconds(3599))).toMatchObject({
      scope,
      payment_id: payment,
      threeds: 'required',
      token_id: token,
    });
    expect(sessions.read(session, now + seconds(3601))).toBeUndefined();
  });
  it("has the link epoch of a customer's page, and none elsewhere", () => {
    const mount = { scope, payment_id: payment, threeds: 'off', token_id: payment } as const;
    for (const customer_links_epoch of [0, 3]) {
      const text = sessions.open({ ...mount, customer_links_epoch }, now);
      expect(sessions.read(text, now)?.customer_links_epoch).toBe(customer_links_epoch);
    }
    expect(sessions.read(session, now)).not.toHaveProperty('customer_links_epoch');
  });
  it('says whether a member types the card', () => {
    const mount = { scope, payment_id: payment, threeds: 'off', token_id: token } as const;
    const text = sessions.open({ ...mount, by_member: true }, now);
    expect(sessions.read(text, now)?.by_member).toBe(true);
    expect(sessions.read(session, now)).not.toHaveProperty('by_member');
  });
  it('is refused if any part was changed or another key signed it', () => {
    const textParts = session.split('.');
    for (const at of textParts.keys()) {
      const forgedText = textParts
        .map((part, i) => (i === at ? `A${part.slice(1)}x` : part))
        .join('.');
      expect(sessions.read(forgedText, now)).toBeUndefined();
    }
    expect(createMountSessions(randomBytes(32)).read(session, now)).toBeUndefined();
    expect(sessions.read('', now)).toBeUndefined();
  });
});
