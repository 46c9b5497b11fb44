import { allNotificationKinds, type ChangeKind } from '@florin/contract/member-notifications.ts';
import { describe, expect, it } from 'vitest';
import { accountLocales } from '../kinds.ts';
import { composeNotification, type NotificationContent } from './compose.ts';

const content: NotificationContent = {
  kind: 'dispute_opened',
  mode: 'live',
  facts: {
    amount_cents: '2500',
    amount_currency: 'EUR',
    evidence_due_at: '2027-01-31T23:30:00.000000Z',
    failing_since: '2027-01-01T00:00:00.000000Z',
    host: 'shop.example.com',
    message: 'The operator has raised a red flag (rogue): complaints',
    status: 'won',
  },
  business: 'Roses',
  timezone: 'Europe/Paris',
  locale: 'en',
  url: 'https://florin.example/dashboard/m/live/disputes/d',
  settings_url: 'https://florin.example/dashboard/m/live/notifications',
  isLast: false,
};

describe('the email of a notification', () => {
  it('says what happened and what to do, with the day of the merchant', () => {
    const { subject, paragraphs, button, notes } = composeNotification(content);
    expect(subject).toBe('Roses: a payer disputes €25.00');
    expect(paragraphs).toEqual([
      'The bank has taken €25.00 back until it decides. Send evidence by February 1, 2027, or accept the dispute.',
    ]);
    expect(button?.url).toBe(content.url);
    expect(notes).toEqual([`Choose which notifications you get: ${content.settings_url}`]);
  });

  it('tells apart won and lost disputes, and the sandbox', () => {
    const subjectOf = (status: string, mode: 'live' | 'sandbox' = 'live') =>
      composeNotification({ ...content, kind: 'dispute_decided', mode, facts: { status } }).subject;
    expect(subjectOf('won')).toContain('you won');
    expect(subjectOf('lost', 'sandbox')).toMatch(/^Sandbox: Roses: a dispute .* is lost$/);
  });

  it('of a settlement claims no other amount: it may be missing, or settled twice', () => {
    const { subject, paragraphs } = composeNotification({
      ...content,
      kind: 'settlement_difference',
    });
    expect(subject).toBe('Roses: the settlement and the ledger do not match (€25.00)');
    expect(paragraphs.join()).not.toContain('amount');
  });

  it.each(accountLocales)('of an alert names no sender in %s: Florin writes some', (locale) => {
    const { subject } = composeNotification({ ...content, kind: 'account_alert', locale });
    expect(subject).not.toMatch(/operator|betreiber|opérateur|operador/i);
  });

  it('has the message of an alert in the reader’s language, with the time of the merchant', () => {
    const alert = {
      code: 'webhook_subscription_paused',
      parameters: { host: 'shop.example.com', since: '2027-01-31T23:30:00.000000Z' },
    };
    const paragraphsOf = (code: string) =>
      composeNotification({
        ...content,
        kind: 'account_alert',
        facts: { message: 'English', alert: { ...alert, code } },
        locale: 'de',
      }).paragraphs.join();
    expect(paragraphsOf(alert.code)).toContain(
      'Der Server hat seit 1. Februar 2027 um 00:30 keinen angenommen.',
    );
    expect(paragraphsOf('of_a_newer_process')).toBe('English');
  });

  it('says that no more follow within the hour', () => {
    const { notes } = composeNotification({ ...content, isLast: true });
    expect(notes[0]).toContain('no more emails of this kind within the hour');
  });

  it('keeps the subject on one line, whatever the name of the business is', () => {
    const { subject } = composeNotification({
      ...content,
      business: 'Roses\r\nBcc: all@example.com',
    });
    expect(subject).not.toMatch(/[\r\n]/);
  });

  it.each(accountLocales)('is complete in %s', (locale) => {
    const kinds = allNotificationKinds.filter((kind): kind is ChangeKind => kind !== 'mention');
    for (const kind of kinds) {
      const email = composeNotification({ ...content, kind, locale, isLast: true });
      const texts = [email.subject, ...email.paragraphs, email.button?.label, ...email.notes];
      expect(texts.filter((text) => !text || /[{}]/.test(text))).toEqual([]);
    }
  });
});
