import { locales } from '@florin/contract/locales.ts';
import { billingPeriods } from '@florin/contract/resources/payment-subscriptions.ts';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../../http/pages/page.ts';
import { textsIn } from '../../../platform/texts/texts.ts';
import type { TextName } from '../../checkout/pages/texts.ts';
import {
  type CardPageView,
  type DetailsView,
  detailsPage,
  endedPage,
  failedPage,
  linkCardPage,
  type PaidView,
  paidPage,
  unavailablePage,
  unknownPage,
  waitingPage,
} from './pages.ts';

const folder = new URL('../../checkout/pages/locales/', import.meta.url);
const placeholdersOf = (text: string | undefined): string[] => text?.match(/\{\w+\}/g) ?? [];
const textsOf = textsIn<TextName>(folder);
const languageOf = (tag: (typeof locales)[number]) => ({ tag, text: textsOf(tag) });

type AnyView = DetailsView & CardPageView & PaidView;
const view: AnyView = {
  language: languageOf('en'),
  path: '/l/code',
  merchant: 'Rosa & Sons',
  sandbox: true,
  title: 'Roses',
  description: 'Red',
  amount: '$12.00',
  billing_period: null,
  page_key: 'key',
  payment_id: 'payment',
  has_details: true,
  grant: 'grant',
  confirm_path: '/l/code/begun/confirm',
  onward: '/l/code/begun',
  reference: 'link-1',
  success_url: 'https://shop.example/thanks',
};

const pages: Readonly<Record<string, (view: AnyView) => Page>> = {
  details: detailsPage,
  'details that are wrong': (view) =>
    detailsPage({
      ...view,
      entered: { email: view.title, name: '' },
      field_errors: { email: 'email_wrong', name: 'name_missing' },
    }),
  card: linkCardPage,
  waiting: waitingPage,
  paid: paidPage,
  expired: (view) => endedPage(view, 'expired'),
  'used up': (view) => endedPage(view, 'used_up'),
  unknown: ({ language }) => unknownPage(language),
  busy: ({ language }) => unavailablePage(language),
  failed: ({ language }) => failedPage(language, 503),
};

describe('the texts of a link’s pages', () => {
  it.each(locales)('in %s have no unfilled placeholder on any page', (tag) => {
    for (const [name, page] of Object.entries(pages)) {
      for (const billing_period of [null, ...billingPeriods]) {
        const { html } = page({ ...view, language: languageOf(tag), billing_period });
        expect(placeholdersOf(html), name).toEqual([]);
        expect(html, name).toContain(`<html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}">`);
      }
    }
  });
});

describe('a page of a link', () => {
  it.each(Object.entries(pages))(
    'escapes text by others, and runs no other script: %s',
    (_name, page) => {
      const evil = '"><script>alert(1)</script><a href=\'';
      const texts = { merchant: evil, title: evil, description: evil, reference: evil };
      const { html, headers } = page({ ...view, ...texts });
      expect(html).not.toContain('<script>');
      expect(html).not.toContain(evil);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
      });
    },
  );

  it('has scripts and a frame only on the card page, and a script on the waiting page', () => {
    const scripted = Object.entries(pages).filter(([, page]) => {
      const { html, headers } = page(view);
      const policy = headers['content-security-policy'] ?? '';
      expect(html.includes('<script')).toBe(policy.includes("script-src 'self'"));
      return html.includes('<script');
    });
    expect(scripted.map(([name]) => name)).toEqual(['card', 'waiting']);
  });

  it('has a mark of success after the payment alone, which screen readers skip', () => {
    const marked = Object.entries(pages).filter(([, page]) =>
      page(view).html.includes('<svg class="success" viewBox="0 0 48 48" aria-hidden="true">'),
    );
    expect(marked.map(([name]) => name)).toEqual(['paid']);
  });

  it.each([
    ['details', 200],
    ['details that are wrong', 422],
    ['paid', 200],
    ['expired', 410],
    ['used up', 410],
    ['unknown', 404],
    ['busy', 429],
    ['failed', 503],
  ])('%s is %i', (name, status) => {
    expect(pages[name]?.(view).status).toBe(status);
  });

  it('describes a recurring charge in plain words, and marks the sandbox', () => {
    const { html } = detailsPage({ ...view, billing_period: 'thirty_days' });
    expect(html).toContain('$12.00 every 30 days until you cancel');
    expect(html).toContain('Test mode: no money moves');
    expect(detailsPage({ ...view, sandbox: false }).html).not.toContain('Test mode');
  });
});
